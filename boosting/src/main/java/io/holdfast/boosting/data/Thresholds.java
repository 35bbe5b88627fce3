package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;

/**
 * Where a numeric column is cut into bins: value v is in the first bin whose threshold it does not
 * exceed, or in the last. Stateless.
 */
final class Thresholds {
  private Thresholds() {}

  /**
   * Ascending thresholds, one fewer than bins.
   *
   * @param values the column; NaN where missing
   * @param weights of the rows
   */
  static double[] of(double[] values, double[] weights, int maxBins) {
    return new ThresholdFit(values.length, new Buffers())
        .of(values, values.length, weights, maxBins);
  }

  /** The bin of a value that is not NaN: how many thresholds are below it. */
  static int bin(double[] thresholds, double value) {
    int low = 0;
    int high = thresholds.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (value <= thresholds[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * A t with {@code low <= t < high}, in the middle; an infinite value is cut off from the finite
   * ones.
   */
  static double between(double low, double high) {
    if (low == Double.NEGATIVE_INFINITY) {
      return high == Double.POSITIVE_INFINITY ? 0 : low;
    }
    if (high == Double.POSITIVE_INFINITY) {
      return Double.MAX_VALUE;
    }
    double middle = 0.5 * (low + high);
    if (Double.isInfinite(middle)) {
      middle = 0.5 * low + 0.5 * high;
    }
    return middle >= low && middle < high ? middle : low;
  }
}
