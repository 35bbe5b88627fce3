package io.holdfast.boosting.objective;

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
   * {@code rising − falling} where rising = c e^f and falling = c y, for any c that is the same in
   * both; y is at least 0.
   */
  static double difference(double label, double score, double rising, double falling) {
    double above = score - StrictMath.log(label); // ∞ for the label 0
    return Math.abs(above) < NEAR ? -rising * StrictMath.expm1(-above) : rising - falling;
  }

  /** {@code factor · e^exponent}, also where e^exponent alone is beyond all doubles; factor ≥ 0. */
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
