package io.holdfast.boosting.objective;

/**
 * Differences of a label and a mean e^f, weighed by what falls and what rises with f. Stateless.
 */
final class LogScale {
  // Within this of the label, on the log scale, the difference is taken there: it cancels less.
  private static final double NEAR = 0.5;

  private LogScale() {}

  /**
   * {@code rising − falling} where rising = c e^f and falling = c y, for any c that is the same in
   * both; y is at least 0.
   */
  static double difference(double label, double score, double rising, double falling) {
    double above = score - StrictMath.log(label); // ∞ for the label 0
    return Math.abs(above) < NEAR ? -rising * StrictMath.expm1(-above) : rising - falling;
  }
}
