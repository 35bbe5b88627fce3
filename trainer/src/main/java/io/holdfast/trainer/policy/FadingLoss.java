package io.holdfast.trainer.policy;

/**
 * Losses summed over rows, older ones fading, and what those who had them should count with.
 * Stateless.
 */
final class FadingLoss {
  /** A loss counts half after that many rows. */
  static final double HALF_LIFE = 50;

  /** Above the best by this, one counts for next to nothing, whatever the trust. */
  static final double HOPELESS = 1_000;

  /** A single row counts at most that: a wild one must not decide alone. */
  private static final double LARGEST = 8;

  private static final double FADE = StrictMath.pow(0.5, 1 / HALF_LIFE);

  private FadingLoss() {}

  /**
   * The sum after one more row.
   *
   * @param scale what losses are divided by: 1 where they are of the log of a probability
   */
  static double next(double before, double loss, double scale) {
    return FADE * before + bounded(loss / scale);
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
}
