/**
 * Models laid out for speed: the scorers that serve.
 *
 * <p>Models come in, and rows of features one by one or in blocks; raw scores go out, the same bits
 * as the plain scorer's. It may not know who scores, how trees are grown, or what labels are.
 */
@NullMarked
package io.holdfast.boosting.model.kernel;

import org.jspecify.annotations.NullMarked;
