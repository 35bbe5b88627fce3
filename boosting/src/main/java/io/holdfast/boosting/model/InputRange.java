package io.holdfast.boosting.model;

import io.holdfast.boosting.numeric.Check;

/**
 * Where a number counts as it is in a linear function; beyond, it counts as the nearer end.
 * Immutable.
 *
 * @param low the lower end, {@link LinearTerm#LARGEST_VALUE} in size at most, as is {@code high}
 * @param high the upper end, not below {@code low}
 */
public record InputRange(double low, double high) {
  /** Of all values that a linear function may use. */
  public static final InputRange EVERYTHING =
      new InputRange(-LinearTerm.LARGEST_VALUE, LinearTerm.LARGEST_VALUE);

  public InputRange {
    Check.that(
        LinearTerm.usable(low) && LinearTerm.usable(high),
        "the ends of an input's range must be at most %s in size: %s and %s",
        LinearTerm.LARGEST_VALUE,
        low,
        high);
    Check.that(low <= high, "the low end of an input's range must not exceed %s: %s", high, low);
  }

  /** Whether this bounds nothing. */
  public boolean unbounded() {
    return equals(EVERYTHING);
  }

  /** The value, or the end that it is beyond. */
  public double clip(double value) {
    return value < low ? low : Math.min(value, high);
  }

  /** Whether a value that is there is beyond an end. */
  public boolean excludes(double value) {
    return value < low || value > high;
  }
}
