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
   *
   * Where all rows weigh the same, a bucket that no bin can end in is not even sorted.
   */
  private static final int SPARE = 4; // buckets a bin, to pass over some of them

  private final BucketSort buckets;
  private final double[] sorted; // the array of buckets
  private final double[] levels; // distinct values, ascending
  private final double[] mass; // weight of each

  /** For columns of at most so many rows. */
  ThresholdFit(int rows, Buffers buffers) {
    levels = buffers.doubles(rows);
    mass = buffers.doubles(rows);
    buckets = new BucketSort(rows, mass, buffers);
    sorted = buckets.sorted;
  }

  /**
   * Ascending thresholds, one fewer than bins.
   *
   * @param values the first {@code size} are the column's; NaN where missing
   * @param weights of the rows; null if all are the same
   */
  double[] of(double[] values, int size, double @Nullable [] weights, int maxBins) {
    int present = buckets.distribute(values, size);
    if (weights == null && buckets.buckets() > SPARE * maxBins) {
      double[] thresholds = quantilesOfBuckets(present, maxBins);
      if (thresholds != null) {
        return thresholds;
      }
    }
    buckets.sortAll();
    int distinct = findLevels(present);
    if (distinct <= maxBins) {
      double[] thresholds = new double[Math.max(distinct - 1, 0)];
      for (int k = 0; k < thresholds.length; k++) {
        thresholds[k] = between(levels[k], levels[k + 1]);
      }
      return thresholds;
    }
    double all = weights == null ? present : weigh(distinct, values, size, weights);
    return quantiles(distinct, all, maxBins);
  }

  /** Lists the distinct values and how many there are of each; returns how many are distinct. */
  private int findLevels(int present) {
    int distinct = 0;
    for (int from = 0; from < present; ) {
      int end = endOfLevel(from, present);
      levels[distinct] = sorted[from];
      mass[distinct++] = end - from;
      from = end;
    }
    return distinct;
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
        thresholds[made++] = between(levels[k], levels[k + 1]);
        left -= inBin;
        inBin = 0;
        share = left / (maxBins - made);
      }
    }
    return Arrays.copyOf(thresholds, made);
  }

  /** As {@link #quantiles}, by buckets; null if the distinct values may be too few for that. */
  private double @Nullable [] quantilesOfBuckets(int all, int maxBins) {
    double[] thresholds = new double[maxBins - 1];
    double left = all;
    double share = left / maxBins;
    int made = 0;
    double inBin = 0;
    int inOrder = 0; // buckets
    for (int bucket = 0; made < thresholds.length; bucket++) {
      if (buckets.buckets() - 1 - bucket <= maxBins - 1 - made) {
        return null;
      }
      int from = buckets.start(bucket);
      int to = buckets.start(bucket + 1);
      int end = buckets.start(bucket + 2);
      if (inBin + (to - from) + 0.5 * (end - to) < share) {
        inBin += to - from;
        continue;
      }
      for (inOrder = Math.max(inOrder, bucket); inOrder < bucket + 2; inOrder++) {
        buckets.sort(inOrder);
      }
      int next = endOfLevel(from, to);
      for (int k = from; k < to && made < thresholds.length; ) {
        int level = k;
        k = next;
        next = endOfLevel(k, k < to ? to : end);
        inBin += k - level;
        if (inBin + 0.5 * (next - k) >= share) {
          thresholds[made++] = between(sorted[level], sorted[k]);
          left -= inBin;
          inBin = 0;
          share = left / (maxBins - made);
        }
      }
    }
    return thresholds;
  }

  /** The end of the values that equal that at {@code from}, at most {@code to}. */
  private int endOfLevel(int from, int to) {
    int end = from + 1;
    while (end < to && sorted[end] == sorted[from]) {
      end++;
    }
    return end;
  }

  /** The middle t, {@code low <= t < high}; an infinite value is cut off from the finite ones. */
  static double between(double low, double high) {
    if (low == Double.NEGATIVE_INFINITY) {
      return high == Double.POSITIVE_INFINITY ? 0 : low;
    }
    if (high == Double.POSITIVE_INFINITY) {
      return Double.MAX_VALUE;
    }
    double sum = low + high;
    double middle = Double.isInfinite(sum) ? 0.5 * low + 0.5 * high : 0.5 * sum;
    return middle >= low && middle < high ? middle : low;
  }
}
