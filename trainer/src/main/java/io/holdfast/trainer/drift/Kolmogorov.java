package io.holdfast.trainer.drift;

/** How likely a distance of Kolmogorov and Smirnov is by chance. Stateless. */
final class Kolmogorov {
  private static final int TERMS = 100;
  private static final double NEGLIGIBLE = 1e-12;

  private Kolmogorov() {}

  /**
   * How far two samples of one quantity are apart.
   *
   * @param distance of Kolmogorov and Smirnov: the largest difference of the two distribution
   *     functions, 0 to 1
   * @param p how likely a distance is at least as large if both are of one distribution; for
   *     quantities with equal values an upper bound of that
   * @param stability the population stability index over tenths of the reference
   */
  record Distance(double distance, double p, double stability) {}

  /**
   * Kolmogorov's limit with Stephens' correction for small samples: Numerical Recipes, 14.3. At
   * least 0, at most 1.
   */
  static double p(double distance, double first, double second) {
    double size = StrictMath.sqrt(first * second / (first + second));
    double lambda = (size + 0.12 + 0.11 / size) * distance;
    if (lambda < 0.2) {
      return 1; // the series converges slowly there, to 1
    }
    double sum = 0;
    double sign = 2;
    for (int k = 1; k <= TERMS; k++) {
      double term = StrictMath.exp(-2 * lambda * lambda * k * k);
      sum += sign * term;
      if (term < NEGLIGIBLE) {
        break;
      }
      sign = -sign;
    }
    return Math.clamp(sum, 0, 1);
  }
}
