package io.holdfast.boosting.numeric;

/** {@link StrictMath#exp} of many numbers that are not above 0, to the same bits. Stateless. */
public final class StrictExponential {
  /*
   * The algorithm of StrictMath (fdlibm) without its branches: x = k log 2 + r, e^r by a rational
   * function, and 2^k in the exponent's bits. Where StrictMath goes another way, next to 0, at half of
   * log 2 and far below, it is called.
   */
  private static final double INVERSE_LOG_2 = 0x1.71547652b82fep0;
  private static final double LOG_2_HIGH = 0x1.62e42feep-1;
  private static final double LOG_2_LOW = 0x1.a39ef35793c76p-33;
  private static final double P1 = 0x1.555555555553ep-3;
  private static final double P2 = -0x1.6c16c16bebd93p-9;
  private static final double P3 = 0x1.1566aaf25de2cp-14;
  private static final double P4 = -0x1.bbd41c5d26bf1p-20;
  private static final double P5 = 0x1.6376972bea4d0p-25;

  // Added to a whole number of less than 2⁵¹, it leaves the number in the last bits.
  private static final double WHOLE = 0x1.8p52;

  private static final double FURTHEST = -700; // beyond, results may be subnormal
  private static final double NEAREST = -0x1p-27;
  private static final double HALF_FROM = -0x1.62e43p-2; // half of log 2, in a few bits
  private static final double HALF_TO = -0x1.62e42p-2;

  private StrictExponential() {}

  /**
   * e^x of the first {@code count} numbers.
   *
   * @param x none above 0, or NaN
   * @param target another array than {@code x} and {@code scratch}
   */
  public static void exp(double[] x, int count, double[] target, double[] scratch) {
    for (int i = 0; i < count; i++) { // only arithmetic: vectorised
      double whole = Math.ceil(x[i] * INVERSE_LOG_2 - 0.5);
      double high = x[i] - whole * LOG_2_HIGH;
      double low = whole * LOG_2_LOW;
      double r = high - low;
      double t = r * r;
      double c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
      target[i] = 1 - ((low - (r * c) / (2 - c)) - high);
      scratch[i] = whole + WHOLE;
    }
    for (int i = 0; i < count; i++) {
      int power = (int) Double.doubleToRawLongBits(scratch[i]);
      target[i] *= Double.longBitsToDouble((power + 1023L) << 52);
      double value = x[i];
      if (!(value >= FURTHEST && value <= NEAREST) || (value >= HALF_FROM && value <= HALF_TO)) {
        target[i] = StrictMath.exp(value);
      }
    }
  }
}
