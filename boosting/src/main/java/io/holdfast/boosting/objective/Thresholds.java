package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;

/** The thresholds {@code θ_1 < ... < θ_{K−1}} between the K classes of an ordinal label. */
public final class Thresholds {
  private static final double LEAST_SHARE = 1e-12;

  private final double[] values;

  private Thresholds(double[] values) {
    this.values = values;
  }

  /** Refuses none at all, and any that are not finite or not above the one before. */
  public static Thresholds of(double... values) {
    Check.that(values.length >= 1, "there must be at least 1 threshold: %s", values.length);
    for (int k = 0; k < values.length; k++) {
      Check.that(Double.isFinite(values[k]), "theta%s must be finite: %s", k + 1, values[k]);
      Check.that(
          k == 0 || values[k] > values[k - 1],
          "theta%s must be above theta%s, %s: %s",
          k + 1,
          k,
          k == 0 ? Double.NaN : values[k - 1],
          values[k]);
    }
    return new Thresholds(values.clone());
  }

  /**
   * Those at which the score 0 gives each class its share, above 0; one that is next to nothing
   * counts as {@link #LEAST_SHARE}, so that thresholds differ.
   */
  static Thresholds ofShares(double[] shares, OrdinalLink link) {
    double least = LEAST_SHARE * Arrays.stream(shares).sum();
    double[] weights = Arrays.stream(shares).map(share -> Math.max(share, least)).toArray();
    double[] values = new double[weights.length - 1];
    double above = 0;
    double[] rest = new double[weights.length];
    for (int k = weights.length - 1; k > 0; k--) {
      above += weights[k];
      rest[k] = above;
    }
    double below = 0;
    for (int k = 0; k < values.length; k++) {
      below += weights[k];
      values[k] = link.quantile(below, rest[k + 1]);
    }
    return of(values);
  }

  public int size() {
    return values.length;
  }

  /** θ_{k+1}, the upper end of class k; −∞ for −1 and ∞ for the last class. */
  public double above(int label) {
    if (label < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    return label < values.length ? values[label] : Double.POSITIVE_INFINITY;
  }

  /** How wide class k is; ∞ for the first and the last. */
  double gap(int label) {
    return above(label) - above(label - 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Thresholds that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
