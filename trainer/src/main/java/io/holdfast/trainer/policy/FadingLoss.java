package io.holdfast.trainer.policy;

import java.util.Arrays;

/** Fading sums of losses, and the weights that they give those who had them. Stateless. */
final class FadingLoss {
  /** Half-lives in rows, where labels come at once. */
  private static final double SHORT = 25;

  private static final double LONG = 300;

  /** What each row of label delay adds to them. */
  private static final double SHORT_BY_LAG = 0.2;

  private static final double LONG_BY_LAG = 0.4;

  /** A fading factor a row that does not depend on the delay. */
  static final double FADE = StrictMath.pow(0.5, 1.0 / 50);

  private static final double TRUST = 0.3;
  private static final double DISTRUST_ROWS = 100;
  private static final double DISTRUST_ROWS_OF_NUMBERS = 30;

  /** A loss that far above the best has next to no weight, whatever the trust. */
  static final double HOPELESS = 1_000;

  /** What a single row counts at most: an outlier must not decide alone. */
  private static final double LARGEST = 8;

  private FadingLoss() {}

  /**
   * The fading factor a row of the short memory. The best on the last few rows is best on the next
   * few, which says little of rows that come a label delay later: the longer the delay, the longer
   * losses count. Not so for numbers: under delay their mean is best, and long sums would favour
   * one expert.
   *
   * @param lag label delay in rows
   * @param classes whether labels are classes
   */
  static double shortFade(double lag, boolean classes) {
    return StrictMath.pow(0.5, 1 / (SHORT + (classes ? SHORT_BY_LAG * lag : 0)));
  }

  /** As {@link #shortFade}, of the long memory. */
  static double longFade(double lag, boolean classes) {
    return StrictMath.pow(0.5, 1 / (LONG + (classes ? LONG_BY_LAG * lag : 0)));
  }

  /** The sum after one more row, whose loss is divided by {@code scale}. */
  static double next(double before, double fade, double loss, double scale) {
    return fade * before + bounded(loss / scale);
  }

  static double bounded(double scaled) {
    return scaled < LARGEST ? scaled : LARGEST; // NaN counts as the largest
  }

  /**
   * Weights that sum to 1: a loss larger by 1 has a weight e^trust times smaller. Infinite losses
   * have none.
   *
   * @param trust how far the best on the newest rows is believed to be best on the next
   */
  static double[] weights(double[] losses, double trust) {
    double least = Arrays.stream(losses).min().orElse(Double.POSITIVE_INFINITY);
    double[] weights = new double[losses.length];
    double sum = 0;
    for (int k = 0; k < losses.length; k++) {
      weights[k] =
          Double.isInfinite(losses[k])
              ? 0
              : StrictMath.exp(Math.max(-700, trust * (least - losses[k])));
      sum += weights[k];
    }
    normalise(weights, sum);
    return weights;
  }

  /** Makes weights of that sum sum to 1; all 0 if the sum is. */
  static void normalise(double[] weights, double sum) {
    for (int k = 0; k < weights.length; k++) {
      weights[k] = sum > 0 ? weights[k] / sum : 0;
    }
  }

  /**
   * The mean of the weights by a short and a long memory, trusted less the later labels are.
   *
   * @param lag label delay in rows
   * @param classes whether labels are classes
   */
  static double[] weights(double[] shortLosses, double[] longLosses, double lag, boolean classes) {
    double trust = TRUST / (1 + lag / (classes ? DISTRUST_ROWS : DISTRUST_ROWS_OF_NUMBERS));
    double[] weights = weights(shortLosses, trust);
    double[] others = weights(longLosses, trust);
    for (int k = 0; k < weights.length; k++) {
      weights[k] = (weights[k] + others[k]) / 2;
    }
    return weights;
  }
}
