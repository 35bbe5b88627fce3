package io.holdfast.trainer.reason;

import io.holdfast.boosting.numeric.Check;

/** A figure and its interval of 95 %. */
public record Estimate(double value, double low, double high) {
  private static final double QUANTILE = 1.96;

  public Estimate {
    Check.that(low <= value && value <= high, "%s must be within %s and %s", value, low, high);
  }

  /** By a standard error. */
  static Estimate of(double value, double error) {
    return new Estimate(value, value - QUANTILE * error, value + QUANTILE * error);
  }

  /** Whether it is above 0, as far as the interval says. */
  public boolean above() {
    return low > 0;
  }
}
