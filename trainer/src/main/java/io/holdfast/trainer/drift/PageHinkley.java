package io.holdfast.trainer.drift;

import io.holdfast.boosting.numeric.Check;

/**
 * The Page-Hinkley test for a rise of a mean: Page, "Continuous inspection schemes", Biometrika 41,
 * 1954, in the form of Gama et al., "A survey on concept drift adaptation", ACM Computing Surveys
 * 46, 2014. Owned by one thread.
 */
public final class PageHinkley {
  private final double tolerance;
  private final double threshold;
  private final long least;
  private long values;
  private double mean;
  private double excess;
  private double lowest;

  /**
   * A test that has seen nothing.
   *
   * @param tolerance the rise that does not matter
   * @param threshold how far above its minimum the sum of deviations from the mean must be
   * @param least values to see before the first alarm
   */
  public PageHinkley(double tolerance, double threshold, long least) {
    Check.that(tolerance >= 0, "tolerance must be 0 or more: %s", tolerance);
    Check.that(threshold > 0, "threshold must be above 0: %s", threshold);
    this.tolerance = tolerance;
    this.threshold = threshold;
    this.least = least;
  }

  /** Takes the next value; if the mean has risen, returns true and begins anew. */
  public boolean add(double value) {
    values++;
    mean += (value - mean) / values;
    excess += value - mean - tolerance;
    lowest = Math.min(lowest, excess);
    if (values >= least && excess - lowest > threshold) {
      values = 0;
      mean = 0;
      excess = 0;
      lowest = 0;
      return true;
    }
    return false;
  }
}
