package io.holdfast.trainer.drift;

import io.holdfast.schemas.reference.DistributionSketch;
import java.util.Arrays;

/** The distribution function of a quantity by its sketch, and distances from it. Immutable. */
final class ReferenceDistribution {
  /*
   * A centroid of several rows has half of them on either side of its mean, evenly up to the next.
   * Centroids of a single row or of equal means, and exact values, have all rows there. So the function
   * is linear between the values, and may jump at them from `below` to `upTo`.
   *
   * Its error is about the largest centroid without a jump, 2% of the rows where there are many values.
   * SLACK allows for a repeated value's centroid and its neighbours. The error is taken off the distance
   * of Kolmogorov and Smirnov, so that p stays an upper bound.
   */
  private static final int GROUPS = 10;
  private static final double SLACK = 1.25;

  private final double rows;
  private final double present;
  private final double[] values;
  private final double[] below;
  private final double[] upTo;
  private final double rankError;

  /** Of a sketch of {@code rows} rows, those without a value included. */
  ReferenceDistribution(DistributionSketch sketch, long rows) {
    this.rows = rows;
    present = sketch.present();
    int size = sketch.size();
    values = new double[size];
    below = new double[size];
    upTo = new double[size];
    double sum = 0;
    long largest = 0;
    for (int k = 0; k < size; k++) {
      long weight = sketch.weight(k);
      values[k] = sketch.value(k);
      boolean jump =
          sketch.exact()
              || weight == 1
              || (k > 0 && values[k - 1] == values[k])
              || (k + 1 < size && sketch.value(k + 1) == values[k]);
      below[k] = jump ? sum : sum + weight / 2.0;
      upTo[k] = jump ? sum + weight : below[k];
      sum += weight;
      largest = jump ? largest : Math.max(largest, weight);
    }
    rankError = SLACK * largest / rows;
  }

  /** The largest error, as a share of the rows. */
  double rankError() {
    return rankError;
  }

  /** The share of rows with at most that value. */
  double upTo(double value) {
    return rank(value, true) / rows;
  }

  private double rank(double value, boolean inclusive) {
    int place = Arrays.binarySearch(values, value);
    if (place >= 0) {
      while (inclusive && place + 1 < values.length && values[place + 1] == value) {
        place++;
      }
      while (!inclusive && place > 0 && values[place - 1] == value) {
        place--;
      }
      return inclusive ? upTo[place] : below[place];
    }
    int next = -place - 1;
    if (next == 0) {
      return 0;
    }
    if (next == values.length) {
      return present;
    }
    double share = (value - values[next - 1]) / (values[next] - values[next - 1]);
    return upTo[next - 1] + share * (below[next] - upTo[next - 1]);
  }

  /** The distance of at least one value, sorted as by {@link Arrays#sort(double[])}, NaN last. */
  ShiftStatistics.Distance to(double[] now) {
    int there = present(now);
    double distance = Math.max(0, distance(now, there) - rankError);
    double p = ShiftStatistics.p(distance, rows, now.length);
    return new ShiftStatistics.Distance(distance, p, stability(now, there));
  }

  /** How many of sorted values are not NaN. */
  static int present(double[] sorted) {
    int present = sorted.length;
    while (present > 0 && Double.isNaN(sorted[present - 1])) {
      present--;
    }
    return present;
  }

  /** Both functions only rise, so they are furthest apart at one of the values. */
  private double distance(double[] now, int there) {
    double largest = Math.abs(present / rows - (double) there / now.length);
    int before = 0;
    while (before < there) {
      double value = now[before];
      int after = before;
      while (after < there && now[after] == value) {
        after++;
      }
      double under = rank(value, false) / rows - (double) before / now.length;
      double over = rank(value, true) / rows - (double) after / now.length;
      largest = Math.max(largest, Math.max(Math.abs(under), Math.abs(over)));
      before = after;
    }
    return largest;
  }

  /** PSI over groups that end at tenths of the reference, and one of missing values. */
  private double stability(double[] now, int there) {
    double index = 0;
    double taken = 0;
    int takenNow = 0;
    int place = 0;
    for (int group = 1; group < GROUPS; group++) {
      double end = rows * group / GROUPS;
      while (place < values.length && upTo[place] < end) {
        place++;
      }
      if (place == values.length || rank(values[place], true) >= present) {
        break; // the last group has the rest
      }
      double rank = rank(values[place], true);
      if (rank > taken) {
        int nowUpTo = above(now, values[place], takenNow, there);
        index += ShiftStatistics.ofBin(rank - taken, rows, nowUpTo - takenNow, now.length);
        taken = rank;
        takenNow = nowUpTo;
      }
    }
    if (present > taken || there > takenNow) {
      index += ShiftStatistics.ofBin(present - taken, rows, there - takenNow, now.length);
    }
    return present < rows || there < now.length
        ? index + ShiftStatistics.ofBin(rows - present, rows, now.length - there, now.length)
        : index;
  }

  /** The first place from {@code from} on whose value is above {@code edge}. */
  private static int above(double[] sorted, double edge, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= edge) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
