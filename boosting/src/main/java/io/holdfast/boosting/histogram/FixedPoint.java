package io.holdfast.boosting.histogram;

/**
 * Numbers as whole multiples of a power of two, so that they add up to the same bits in any order.
 * Immutable.
 */
final class FixedPoint {
  /*
   * The unit is a power of two, so numbers of few digits keep them all, and what is equal or twice
   * as much stays so.
   */
  private static final double MOST = 0x1p61; // of a sum, in units
  private static final double FEW = 0x1p49;
  private static final int FINEST = -1000;

  // Added to a number of less than 2⁵¹, it leaves no bits after the point, and the others below.
  private static final double ROUNDING = 0x1.8p52;

  /** One unit; NaN if the numbers are not finite, of which nothing is to be learned. */
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

  /** As {@link #of}, but each number is few steps, and so is their sum. */
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

  /** How many units the value is, to the nearest. */
  long steps(double value) {
    return (long) Math.rint(value * scale);
  }

  /**
   * The same where it is known to be at most 2⁵⁰, in operations that vectors have.
   *
   * @param scale one by the unit
   */
  static long steps(double value, double scale) {
    return (long) ((value * scale + ROUNDING) - ROUNDING);
  }

  /** As above, with so many units added before it is taken to the nearest. */
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
