package io.holdfast.schemas.reference;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How one quantity is distributed, in bounded memory. Immutable. */
public final class DistributionSketch {
  private final boolean exact;
  private final double[] values;
  private final long[] weights;
  private final long present;

  /**
   * Of values that are not missing; there may be none.
   *
   * @param exact whether values are those that occurred, each with its rows; else they are means of
   *     rows that lie near each other
   * @param values finite, ascending, and each once if they are exact
   * @param weights how many rows each stands for
   */
  public DistributionSketch(boolean exact, double[] values, long[] weights) {
    Check.that(
        values.length == weights.length,
        "there must be as many weights as values: %s for %s",
        weights.length,
        values.length);
    long sum = 0;
    double last = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < values.length; k++) {
      Check.that(Double.isFinite(values[k]), "values must be finite: %s", values[k]);
      Check.that(
          exact ? values[k] > last : values[k] >= last,
          "values must ascend: %s after %s",
          values[k],
          last);
      Check.that(weights[k] >= 1, "weights must be 1 or more: %s", weights[k]);
      sum = Math.addExact(sum, weights[k]);
      last = values[k];
    }
    this.exact = exact;
    this.values = values.clone();
    this.weights = weights.clone();
    present = sum;
  }

  /** Whether the values are those that occurred. */
  public boolean exact() {
    return exact;
  }

  /** How many values stand for the rows. */
  public int size() {
    return values.length;
  }

  /** The value at a place, ascending. */
  public double value(int place) {
    return values[place];
  }

  /** How many rows it stands for. */
  public long weight(int place) {
    return weights[place];
  }

  /** How many rows have a value. */
  public long present() {
    return present;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DistributionSketch that
        && exact == that.exact
        && Arrays.equals(values, that.values)
        && Arrays.equals(weights, that.weights);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    return "DistributionSketch[exact=" + exact + ", values=" + size() + ", rows=" + present + "]";
  }
}
