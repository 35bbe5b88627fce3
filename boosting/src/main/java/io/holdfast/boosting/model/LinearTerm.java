package io.holdfast.boosting.model;

import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one feature adds to a linear base. Immutable: arrays are copied in and never handed out.
 * Equal if all numbers are.
 */
public abstract sealed class LinearTerm {
  /** Sizes of values beyond this are taken for missing: no sum of terms can then overflow. */
  public static final double LARGEST_VALUE = 1e100;

  /** Sizes of slopes and effects at most. */
  public static final double LARGEST_SLOPE = 1e200;

  final int feature;
  final int outputs;
  final double[] slopes; // of category c, or of the one number, at [c · outputs + output]

  private LinearTerm(int feature, int outputs, double[] slopes) {
    Check.that(feature >= 0, "the feature of a linear term must be 0 or more: %s", feature);
    Check.that(slopes.length >= 1, "a linear term must have at least 1 slope: %s", slopes.length);
    for (double slope : slopes) {
      Check.that(
          Math.abs(slope) <= LARGEST_SLOPE,
          "the slopes of a linear term must be at most %s in size: %s",
          LARGEST_SLOPE,
          slope);
    }
    this.feature = feature;
    this.outputs = outputs;
    this.slopes = slopes;
  }

  /** The feature's column. */
  public final int feature() {
    return feature;
  }

  /** How many raw scores it adds to. */
  public final int outputs() {
    return outputs;
  }

  /** What it adds to one raw score of a row; finite. */
  public abstract double contribution(double[] features, int output);

  /** Whether the row's value is a number beyond the range that the term was learned on. */
  public abstract boolean clips(double[] features);

  /** The term that adds {@code factor} times as much. */
  public abstract LinearTerm times(double factor);

  /** Whether a value is a number that a linear function may use: present, and not too large. */
  public static boolean usable(double value) {
    return Math.abs(value) <= LARGEST_VALUE;
  }

  double[] scaled(double factor) {
    return Arrays.stream(slopes).map(slope -> factor * slope).toArray();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LinearTerm that
        && getClass() == that.getClass()
        && feature == that.feature
        && outputs == that.outputs
        && Arrays.equals(slopes, that.slopes);
  }

  @Override
  public int hashCode() {
    return (feature * 31 + outputs) * 31 + Arrays.hashCode(slopes);
  }

  /**
   * A numeric feature: slope · (value − mean), the value clipped to a range; and 0 where the value
   * is not {@link #usable}.
   */
  public static final class Numeric extends LinearTerm {
    private final double mean;
    private final InputRange range;

    /** A term that no range bounds. */
    public Numeric(int feature, double mean, double... slopes) {
      this(feature, mean, InputRange.EVERYTHING, slopes);
    }

    /** With one slope for each raw score. */
    public Numeric(int feature, double mean, InputRange range, double... slopes) {
      super(feature, slopes.length, slopes.clone());
      Check.that(
          usable(mean), "the mean of a linear term must be at most %s: %s", LARGEST_VALUE, mean);
      this.mean = mean;
      this.range = range;
    }

    /** What a missing value stands for. */
    public double mean() {
      return mean;
    }

    /** What values are clipped to. */
    public InputRange range() {
      return range;
    }

    /** What a unit more of the feature adds to a raw score. */
    public double slope(int output) {
      return slopes[output];
    }

    @Override
    public double contribution(double[] features, int output) {
      double value = features[feature];
      return usable(value) ? slopes[output] * (range.clip(value) - mean) : 0;
    }

    @Override
    public boolean clips(double[] features) {
      return usable(features[feature]) && range.excludes(features[feature]);
    }

    @Override
    public Numeric times(double factor) {
      return new Numeric(feature, mean, range, scaled(factor));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return super.equals(other)
          && other instanceof Numeric that
          && mean == that.mean
          && range.equals(that.range);
    }

    @Override
    public int hashCode() {
      return (super.hashCode() * 31 + Double.hashCode(mean)) * 31 + range.hashCode();
    }

    @Override
    public String toString() {
      String bounds = range.unbounded() ? "" : range + ", ";
      return "Numeric[" + feature + ", " + mean + ", " + bounds + Arrays.toString(slopes) + "]";
    }
  }

  /** A categorical feature: an effect for each code, and 0 for one that has none or is missing. */
  public static final class Categorical extends LinearTerm {

    /** With an effect on each raw score for code 0, then for code 1, and so on. */
    public Categorical(int feature, int outputs, double... effects) {
      Check.that(
          outputs >= 1 && effects.length % outputs == 0,
          "the %s effects of a linear term must be a multiple of its outputs: %s",
          effects.length,
          outputs);
      super(feature, outputs, effects.clone());
    }

    /** How many codes have an effect: those below this. */
    public int categories() {
      return slopes.length / outputs;
    }

    /** What a category adds to a raw score. */
    public double effect(int code, int output) {
      return slopes[code * outputs + output];
    }

    @Override
    public double contribution(double[] features, int output) {
      double value = features[feature];
      int code = (int) value;
      return code == value && code >= 0 && code < categories() ? effect(code, output) : 0;
    }

    @Override
    public boolean clips(double[] features) {
      return false;
    }

    @Override
    public Categorical times(double factor) {
      return new Categorical(feature, outputs, scaled(factor));
    }

    @Override
    public String toString() {
      return "Categorical[" + feature + ", " + Arrays.toString(slopes) + "]";
    }
  }
}
