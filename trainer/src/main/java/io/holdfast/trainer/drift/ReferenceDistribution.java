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
   * of Kolmogorov and Smirnov.
   */
  private static final int GROUPS = 10;
  private static final double SLACK = 1.25;

  private final double rows;
  private final double present;
  private final double[] values;
  private final double[] below;
  private final double[] upTo;
  private final double rankError;
  private final double[] edges;
  private final double[] groups;

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
    edges = edges();
    groups = new double[edges.length + 2];
    double taken = 0;
    for (int group = 0; group < edges.length; group++) {
      double rank = rank(edges[group], true);
      groups[group] = rank - taken;
      taken = rank;
    }
    groups[edges.length] = present - taken;
    groups[edges.length + 1] = rows - present;
  }

  /** The last values of all groups but the last. */
  private double[] edges() {
    double[] found = new double[GROUPS];
    int count = 0;
    double taken = 0;
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
        found[count++] = values[place];
        taken = rank;
      }
    }
    return Arrays.copyOf(found, count);
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
    return new ShiftStatistics.Distance(distance, stability(now));
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

  /** How many of the values are in each group, those without a value last. */
  int[] counts(double[] now) {
    int[] counts = new int[groups.length];
    for (double value : now) {
      int place = Arrays.binarySearch(edges, value);
      counts[Double.isNaN(value) ? counts.length - 1 : place >= 0 ? place : -place - 1]++;
    }
    return counts;
  }

  /** The reference's rows by group: groups end at its tenths, and one is of missing values. */
  double[] groups() {
    return groups.clone();
  }

  /** PSI over groups. */
  private double stability(double[] now) {
    int[] counts = counts(now);
    double index = 0;
    for (int group = 0; group < counts.length; group++) {
      if (groups[group] > 0 || counts[group] > 0) {
        index += ShiftStatistics.ofBin(groups[group], rows, counts[group], now.length);
      }
    }
    return index;
  }
}
