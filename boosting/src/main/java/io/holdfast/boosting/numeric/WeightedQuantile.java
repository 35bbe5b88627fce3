package io.holdfast.boosting.numeric;

/** Quantiles of weighted values. Stateless; arrays are the caller's. */
public final class WeightedQuantile {
  private WeightedQuantile() {}

  /**
   * A value q of least {@code Σ w (y − q)(α − 1{y < q})}: the smallest value up to which at least
   * the fraction α of the weight lies, or, if it is exactly that, the middle between it and the
   * next.
   *
   * @param members which values, {@code n} of them and at least 1; they are sorted by value
   * @param values by member, none of them NaN
   * @param weights by member, above 0
   * @param alpha in (0, 1); one half is the median
   * @param scratch of length n at least
   */
  public static double of(
      int[] members, int n, double[] values, double[] weights, double alpha, int[] scratch) {
    IndexSort.ascending(members, n, values, scratch);
    double total = 0;
    for (int k = 0; k < n; k++) {
      total += weights[members[k]];
    }
    double wanted = alpha * total;
    double below = 0;
    for (int k = 0; k < n - 1; k++) {
      below += weights[members[k]];
      if (below >= wanted) {
        double value = values[members[k]];
        // Halved first: the sum of two large values may overflow.
        return below > wanted ? value : 0.5 * value + 0.5 * values[members[k + 1]];
      }
    }
    return values[members[n - 1]];
  }
}
