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

  /**
   * Twice the loss above its least value for this label: 0 where the prediction is the label.
   * Unlike the loss, comparable between data sets.
   */
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
  default int classes() {
    return 0;
  }

  /**
   * Differences of a label and a mean e^f, weighed by what falls and what rises with f. Stateless.
   */
  final class LogScale {
    // Within this of the label, on the log scale, the difference is taken there: it cancels less.
    private static final double NEAR = 0.5;

    // Beyond it e^exponent may overflow, or underflow.
    private static final double FAR = 700;

    private LogScale() {}

    /**
     * {@code rising − falling} where rising = c e^f and falling = c y, for any c that is the same
     * in both; y is at least 0.
     */
    static double difference(double label, double score, double rising, double falling) {
      double above = score - StrictMath.log(label); // ∞ for the label 0
      return Math.abs(above) < NEAR ? -rising * StrictMath.expm1(-above) : rising - falling;
    }

    /**
     * {@code factor · e^exponent}, also where e^exponent alone is beyond all doubles; factor ≥ 0.
     */
    static double scaled(double factor, double exponent) {
      if (factor == 0) {
        return 0;
      }
      if (Math.abs(exponent) < FAR) {
        return factor * StrictMath.exp(exponent);
      }
      double third = StrictMath.exp(exponent / 3);
      return factor * third * third * third;
    }
  }
}
