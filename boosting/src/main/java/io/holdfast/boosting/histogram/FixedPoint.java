package io.holdfast.boosting.histogram;

/** Numbers as whole multiples of a unit, so that sums are the same in any order. Immutable. */
final class FixedPoint {
  // A unit is a power of two: numbers of few digits stay exact, and equal ones equal.
  private static final double MOST = 0x1p61; // of a sum, in units
  private static final double FEW = 0x1p49;
  private static final int FINEST = -1000;

  // Added to a number of less than 2⁵¹, it leaves no bits after the point, and the others below.
  private static final double ROUNDING = 0x1.8p52;

  /** One unit; NaN if the numbers are not finite. */
  final double unit;

  private final double scale; // exact: a power of two again

  private FixedPoint(double unit) {
    this.unit = unit;
    scale = 1 / unit;
  }

  /** The finest that sums of {@code count} numbers are safe in, none beyond {@code largest}. */
  static FixedPoint of(double largest, int count) {
    return ofSum(largest * Math.max(1, count), MOST);
  }

  /** As {@link #of}, but sums have at most 49 bits. */
  static FixedPoint ofFew(double largest, int count) {
    return ofSum(largest * Math.max(1, count), FEW);
  }

  /** The finest in which {@code sum} is at most {@code most} units. */
  static FixedPoint ofSum(double sum, double most) {
    if (!(sum < Double.POSITIVE_INFINITY)) {
      return new FixedPoint(Double.NaN);
    }
    double exact = sum / most;
    if (!(exact > 0)) {
      return new FixedPoint(1);
    }
    int exponent = Math.getExponent(exact);
    int enough = Math.scalb(1.0, exponent) < exact ? exponent + 1 : exponent;
    return new FixedPoint(Math.scalb(1.0, Math.max(enough, FINEST)));
  }

  boolean usable() {
    return !Double.isNaN(unit);
  }

  /** The value in units, rounded. */
  long steps(double value) {
    return (long) Math.rint(value * scale);
  }

  /** As above for values of at most 2⁵⁰ units, in operations that vectors have. */
  static long steps(double value, double scale) {
    return (long) ((value * scale + ROUNDING) - ROUNDING);
  }

  /** As above, with {@code added} units added before rounding. */
  static long steps(double value, double scale, double added) {
    return (long) ((value * scale + added + ROUNDING) - ROUNDING);
  }

  /** The largest magnitude among {@code values[first + row]} of the sample; NaN if one is NaN. */
  static double largest(double[] values, int first, RowSample sample) {
    double largest = 0;
    for (int k = 0; k < sample.size(); k++) {
      largest = Math.max(largest, Math.abs(values[first + sample.rows()[k]]));
    }
    return largest;
  }
}
