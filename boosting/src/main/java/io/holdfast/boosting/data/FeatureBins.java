package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/** The cuts of a numeric feature into bins, and how many of the rows at hand were in each. */
public final class FeatureBins {
  private final int feature;
  private final double[] thresholds;
  private final int[] counts;
  private final long rows;

  /**
   * The bins of a feature.
   *
   * @param feature its place among the features
   * @param thresholds ascending: a value is in the first bin whose threshold it does not exceed, or
   *     in the last, which has none
   * @param counts rows by bin; last come those whose value is missing
   * @throws IllegalArgumentException in one sentence, if there can be no such bins
   */
  public FeatureBins(int feature, double[] thresholds, int[] counts) {
    this.feature = feature;
    this.thresholds = thresholds.clone();
    this.counts = counts.clone();
    Check.that(feature >= 0, "a feature's place must be at least 0: %s", feature);
    Check.that(
        counts.length == thresholds.length + 2,
        "%s thresholds must have %s counts, the missing rows' last: %s",
        thresholds.length,
        thresholds.length + 2,
        counts.length);
    for (int k = 0; k < thresholds.length; k++) {
      double threshold = thresholds[k];
      if (!(threshold < Double.POSITIVE_INFINITY) || (k > 0 && !(threshold > thresholds[k - 1]))) {
        Check.that(false, "thresholds must ascend and be numbers: %s at %s", threshold, k);
      }
    }
    long sum = 0;
    for (int count : counts) {
      Check.that(count >= 0, "rows must be counted from 0: %s", count);
      sum += count;
    }
    rows = sum;
  }

  public int feature() {
    return feature;
  }

  /** The number of bins, that of missing values not counted. */
  public int bins() {
    return thresholds.length + 1;
  }

  /** What separates {@code bin} from the next: values at most this are left. */
  public double threshold(int bin) {
    return thresholds[bin];
  }

  /** The rows in a bin; those without a value are in bin {@link #bins()}. */
  public int count(int bin) {
    return counts[bin];
  }

  /** All rows that the cuts were found by. */
  public long rows() {
    return rows;
  }

  /** The array itself, which nobody writes to. */
  double[] thresholds() {
    return thresholds;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureBins that
        && feature == that.feature
        && Arrays.equals(thresholds, that.thresholds)
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * feature + Arrays.hashCode(thresholds)) + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return "feature " + feature + ": " + bins() + " bins of " + rows + " rows";
  }
}
