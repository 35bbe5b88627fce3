package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.OptionalDouble;

/**
 * A loss that is linear on either side of the label, so that the best constant is a quantile of the
 * labels. Without curvature: leaf values are quantiles of residuals, not Newton steps, and there is
 * no anchored form. Immutable.
 */
sealed interface QuantileObjective extends RealObjective permits Absolute, Quantile {
  /** The share of labels below the best constant, above 0 and below 1. */
  double level();

  double gradient(double label, double score);

  @Override
  default void derivatives(double label, double score, Derivatives target) {
    target.set(loss(label, score), gradient(label, score), 0, 0);
    target.growth = 1; // splits are those of the gradients' means
  }

  @Override
  default double initialScore(Rows rows) {
    return LabelSummary.quantile(rows, level());
  }

  @Override
  default OptionalDouble leafQuantile() {
    return OptionalDouble.of(level());
  }

  @Override
  default boolean anchorable() {
    return false;
  }
}
