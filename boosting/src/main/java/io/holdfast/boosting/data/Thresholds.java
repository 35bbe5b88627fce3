package io.holdfast.boosting.data;

import java.util.Arrays;

/**
 * Where a numeric column is cut into bins: value v is in the first bin whose threshold it does not
 * exceed, or in the last. Stateless.
 */
final class Thresholds {
  /*
   * A threshold is the middle between two neighbouring distinct values of the column. A column with
   * at most maxBins distinct values has a bin for each. Otherwise bins are closed greedily: a bin
   * ends where it holds its fair share of the weight that is left for the bins that are left, so a
   * value heavier than a share gets a bin of its own and the others share the rest.
   */
  private Thresholds() {}

  /**
   * Ascending thresholds, one fewer than bins.
   *
   * @param values the column; NaN where missing
   * @param weights of the rows
   */
  static double[] of(double[] values, double[] weights, int maxBins) {
    double[] sorted = sortedPresent(values);
    int distinct = countDistinct(sorted);
    double[] levels = new double[distinct];
    double[] mass = new double[distinct];
    int level = -1;
    for (double value : sorted) {
      if (level < 0 || value != levels[level]) {
        levels[++level] = value;
      }
      mass[level]++;
    }
    if (distinct <= maxBins) {
      double[] thresholds = new double[Math.max(distinct - 1, 0)];
      for (int k = 0; k < thresholds.length; k++) {
        thresholds[k] = between(levels[k], levels[k + 1]);
      }
      return thresholds;
    }
    if (!allEqual(weights)) {
      weigh(levels, values, weights, mass);
    }
    return quantiles(levels, mass, maxBins);
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

  private static double[] quantiles(double[] levels, double[] mass, int maxBins) {
    double left = Arrays.stream(mass).sum();
    double[] thresholds = new double[maxBins - 1];
    int made = 0;
    double inBin = 0;
    for (int k = 0; k < levels.length - 1 && made < thresholds.length; k++) {
      inBin += mass[k];
      double share = left / (maxBins - made);
      // The next value would overfill the bin by more than leaving it out underfills it.
      if (inBin + 0.5 * mass[k + 1] >= share || levels.length - 1 - k == maxBins - 1 - made) {
        thresholds[made++] = between(levels[k], levels[k + 1]);
        left -= inBin;
        inBin = 0;
      }
    }
    return Arrays.copyOf(thresholds, made);
  }

  private static void weigh(double[] levels, double[] values, double[] weights, double[] mass) {
    Arrays.fill(mass, 0);
    for (int row = 0; row < values.length; row++) {
      if (!Double.isNaN(values[row])) {
        mass[Arrays.binarySearch(levels, values[row] + 0.0)] += weights[row];
      }
    }
  }

  private static boolean allEqual(double[] weights) {
    for (double weight : weights) {
      if (weight != weights[0]) {
        return false;
      }
    }
    return true;
  }

  private static double[] sortedPresent(double[] values) {
    double[] sorted = new double[values.length];
    int present = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        sorted[present++] = value + 0.0; // makes −0 into 0, which sort() would set apart
      }
    }
    sorted = Arrays.copyOf(sorted, present);
    Arrays.sort(sorted);
    return sorted;
  }

  private static int countDistinct(double[] sorted) {
    int distinct = 0;
    for (int k = 0; k < sorted.length; k++) {
      if (k == 0 || sorted[k] != sorted[k - 1]) {
        distinct++;
      }
    }
    return distinct;
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
