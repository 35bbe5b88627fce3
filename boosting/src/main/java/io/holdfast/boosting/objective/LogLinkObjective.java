package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/**
 * A loss of labels that are not negative, whose prediction is the mean e^f. Immutable.
 *
 * <p>The losses grow with e^f or y e^−f: where these are beyond all doubles, they are infinite.
 */
public sealed interface LogLinkObjective extends ScalarObjective permits Gamma, Poisson, Tweedie {

  /** The loss above its least value for this label. */
  double excess(double label, double score);

  /** Twice {@link #excess}: unlike the loss, comparable between data sets. */
  default double deviance(double label, double score) {
    return 2 * excess(label, score);
  }

  @Override
  default double excessLoss(double label, double... scores) {
    return excess(label, scores[0]);
  }

  @Override
  default double prediction(double score) {
    return StrictMath.exp(score);
  }

  /** 1: a mean may come to e times what it was, or to the eth part. */
  @Override
  default double reach() {
    return 1;
  }

  /** The log of the mean label; if all labels are 0, as if half a row's were 1. */
  @Override
  default double initialScore(Rows rows) {
    double mean = LabelSummary.mean(rows);
    return StrictMath.log(mean > 0 ? mean : 0.5 / rows.size());
  }

  @Override
  default boolean unbounded(Rows rows) {
    return LabelSummary.allAre(0, rows);
  }

  @Override
  default boolean accepts(double label) {
    return label >= 0 && label < Double.POSITIVE_INFINITY;
  }

  @Override
  default String labelRule() {
    return "finite numbers of 0 or more";
  }

  /**
   * {@code rising − falling}, where rising = c e^f and falling = c y for any c, y at least 0; near
   * the label on the log scale, where it cancels less.
   */
  static double difference(double label, double score, double rising, double falling) {
    double above = score - StrictMath.log(label); // ∞ for the label 0
    return Math.abs(above) < 0.5 ? -rising * StrictMath.expm1(-above) : rising - falling;
  }

  /** {@code factor · e^exponent}, also where e^exponent alone is beyond all doubles; factor ≥ 0. */
  static double scaled(double factor, double exponent) {
    if (factor == 0) {
      return 0;
    }
    if (Math.abs(exponent) < 700) { // no overflow or underflow
      return factor * StrictMath.exp(exponent);
    }
    double third = StrictMath.exp(exponent / 3);
    return factor * third * third * third;
  }
}
