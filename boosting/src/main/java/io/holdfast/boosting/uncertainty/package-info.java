/**
 * How sure a score is: intervals and sets of classes that hold the label as often as promised, by
 * environment and under drift, and probabilities that come true (docs/math.md, "Uncertainty").
 */
@NullMarked
package io.holdfast.boosting.uncertainty;

import org.jspecify.annotations.NullMarked;
