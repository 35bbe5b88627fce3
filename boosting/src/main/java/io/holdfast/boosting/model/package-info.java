/**
 * All that a scorer needs: trees, segments, the model, and the scorers themselves.
 *
 * <p>Trees come in from the booster or from a stored version, feature vectors from whoever scores;
 * raw scores go out. It may not know how trees are grown, rows' labels or losses' derivatives.
 */
@NullMarked
package io.holdfast.boosting.model;

import org.jspecify.annotations.NullMarked;
