package io.holdfast.boosting.objective;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import java.util.List;

/** The thresholds {@code θ_1 < ... < θ_{K−1}} between the K classes of an ordinal label. */
public record Thresholds(List<Double> values) {
  private static final double LEAST_SHARE = 1e-12;

  /** Refuses none at all, and any that are not finite or not above the one before. */
  public Thresholds {
    values = List.copyOf(values);
    Check.that(!values.isEmpty(), "there must be at least 1 threshold: %s", 0);
    for (int k = 0; k < values.size(); k++) {
      Check.that(
          Double.isFinite(values.get(k)), "theta%s must be finite: %s", k + 1, values.get(k));
      Check.that(
          k == 0 || values.get(k) > values.get(k - 1),
          "theta%s must be above theta%s, %s: %s",
          k + 1,
          k,
          k == 0 ? Double.NaN : values.get(k - 1),
          values.get(k));
    }
  }

  /** The given thresholds, lowest first. */
  public static Thresholds of(double... values) {
    return new Thresholds(Arrays.stream(values).boxed().toList());
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
    return values.size();
  }

  /** θ_{k+1}, the upper end of class k; −∞ for −1 and ∞ for the last class. */
  public double above(int label) {
    if (label < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    return label < values.size() ? values.get(label) : Double.POSITIVE_INFINITY;
  }

  /** How wide class k is; ∞ for the first and the last. */
  double gap(int label) {
    return above(label) - above(label - 1);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
