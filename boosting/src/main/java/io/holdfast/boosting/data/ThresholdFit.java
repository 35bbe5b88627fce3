package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the thresholds of columns, one after the other. Scratch is reused: not thread-safe. */
final class ThresholdFit {
  /*
   * A threshold is the middle between two neighbouring distinct values of the column. A column with
   * at most maxBins distinct values has a bin for each. Otherwise bins are closed greedily: a bin
   * ends where it holds its fair share of the weight that is left for the bins that are left, so a
   * value heavier than a share gets a bin of its own and the others share the rest.
   */
  private final double[] sorted;
  private final double[] levels; // distinct values, ascending
  private final double[] mass; // weight of each

  /** For columns of at most so many rows. */
  ThresholdFit(int rows, Buffers buffers) {
    sorted = buffers.doubles(rows);
    levels = buffers.doubles(rows);
    mass = buffers.doubles(rows);
  }

  /**
   * Ascending thresholds, one fewer than bins.
   *
   * @param values the first {@code size} are the column's; NaN where missing
   * @param weights of the rows; null if all are the same
   */
  double[] of(double[] values, int size, double @Nullable [] weights, int maxBins) {
    int present = sort(values, size);
    int distinct = findLevels(present);
    if (distinct <= maxBins) {
      double[] thresholds = new double[Math.max(distinct - 1, 0)];
      for (int k = 0; k < thresholds.length; k++) {
        thresholds[k] = Thresholds.between(levels[k], levels[k + 1]);
      }
      return thresholds;
    }
    double left = present;
    if (weights != null) {
      left = weigh(distinct, values, size, weights);
    }
    return quantiles(distinct, left, maxBins);
  }

  /** Sorts the values that are there; returns how many. */
  private int sort(double[] values, int size) {
    int present = 0;
    for (int row = 0; row < size; row++) {
      double value = values[row];
      sorted[present] = value + 0.0; // makes −0 into 0, which sort() would set apart
      present += Double.isNaN(value) ? 0 : 1;
    }
    Arrays.sort(sorted, 0, present);
    return present;
  }

  /** Lists the distinct values, and how many there are of each. */
  private int findLevels(int present) {
    int level = -1;
    int start = 0;
    for (int k = 0; k < present; k++) {
      if (level < 0 || sorted[k] != levels[level]) {
        if (level >= 0) {
          mass[level] = k - start;
        }
        levels[++level] = sorted[k];
        start = k;
      }
    }
    if (level >= 0) {
      mass[level] = present - start;
    }
    return level + 1;
  }

  /** Weighs the distinct values; returns the weight of all. */
  private double weigh(int distinct, double[] values, int size, double[] weights) {
    Arrays.fill(mass, 0, distinct, 0);
    for (int row = 0; row < size; row++) {
      if (!Double.isNaN(values[row])) {
        mass[Arrays.binarySearch(levels, 0, distinct, values[row] + 0.0)] += weights[row];
      }
    }
    return Arrays.stream(mass, 0, distinct).sum();
  }

  private double[] quantiles(int distinct, double all, int maxBins) {
    double[] thresholds = new double[maxBins - 1];
    double left = all;
    double share = left / maxBins;
    int made = 0;
    double inBin = 0;
    for (int k = 0; k < distinct - 1 && made < thresholds.length; k++) {
      inBin += mass[k];
      // The next value would overfill the bin by more than leaving it out underfills it.
      if (inBin + 0.5 * mass[k + 1] >= share || distinct - 1 - k == maxBins - 1 - made) {
        thresholds[made++] = Thresholds.between(levels[k], levels[k + 1]);
        left -= inBin;
        inBin = 0;
        share = left / (maxBins - made);
      }
    }
    return Arrays.copyOf(thresholds, made);
  }
}
