/**
 * A model to scores: the plain scorer, and those that serve, laid out for speed.
 *
 * <p>Models come in, and rows of features one by one or in blocks; raw scores go out, the same bits
 * from every scorer. It may not know who scores, how trees are grown, or what labels are.
 */
@NullMarked
package io.holdfast.boosting.scoring;

import org.jspecify.annotations.NullMarked;
