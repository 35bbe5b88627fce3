package io.holdfast.trainer.policy;

/**
 * Losses summed over rows, older ones fading, and what those who had them should count with.
 * Stateless.
 */
final class FadingLoss {
  /** A loss counts half after so many rows, where labels come at once. */
  private static final double SHORT = 25;

  private static final double LONG = 300;

  /** And after so many more for each row that labels are late. */
  private static final double SHORT_BY_LAG = 0.2;

  private static final double LONG_BY_LAG = 0.4;

  /** Of a loss that does not depend on how late labels are. */
  static final double FADE = StrictMath.pow(0.5, 1.0 / 50);

  private static final double TRUST = 0.3;
  private static final double DISTRUST_ROWS = 100;
  private static final double DISTRUST_ROWS_OF_NUMBERS = 30;

  /** Above the best by this, one counts for next to nothing, whatever the trust. */
  static final double HOPELESS = 1_000;

  /** A single row counts at most that: a wild one must not decide alone. */
  private static final double LARGEST = 8;

  private FadingLoss() {}

  /**
   * What a loss counts with after one more row. What was best on the last few rows is best on the
   * next few, and says little of those that come as many rows later as labels are late: the later
   * they are, the longer losses count. Not so those of numbers: their mean is best under delay, and
   * sums over many rows would favour one.
   *
   * @param lag how many rows labels are late
   * @param classes whether labels are classes
   */
  static double shortFade(double lag, boolean classes) {
    return StrictMath.pow(0.5, 1 / (SHORT + (classes ? SHORT_BY_LAG * lag : 0)));
  }

  /** The same, of a longer memory. */
  static double longFade(double lag, boolean classes) {
    return StrictMath.pow(0.5, 1 / (LONG + (classes ? LONG_BY_LAG * lag : 0)));
  }

  /**
   * The sum after one more row.
   *
   * @param fade what the sum before it counts with
   * @param scale what losses are divided by: 1 where they are of the log of a probability
   */
  static double next(double before, double fade, double loss, double scale) {
    return fade * before + bounded(loss / scale);
  }

  /** What a row's loss counts with. */
  static double bounded(double scaled) {
    return scaled < LARGEST ? scaled : LARGEST; // NaN counts as the largest
  }

  /**
   * Weights that sum to 1: each loss more by 1 is a weight e^trust times smaller.
   *
   * @param trust how far what was best on the newest rows is believed to be best on the next
   */
  static double[] weights(double[] losses, double trust) {
    double least = Double.POSITIVE_INFINITY;
    for (double loss : losses) {
      least = Math.min(least, loss);
    }
    double[] weights = new double[losses.length];
    double sum = 0;
    for (int k = 0; k < losses.length; k++) {
      weights[k] =
          Double.isInfinite(losses[k])
              ? 0
              : StrictMath.exp(Math.max(-700, trust * (least - losses[k])));
      sum += weights[k];
    }
    for (int k = 0; k < losses.length; k++) {
      weights[k] = sum > 0 ? weights[k] / sum : 0;
    }
    return weights;
  }

  /**
   * The mean of what losses of a short and of a long memory give. What later labels tell says less
   * about the rows that come next, and is trusted less.
   *
   * @param lag how many rows labels are late
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
