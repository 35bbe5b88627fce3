package io.holdfast.boosting.numeric;

/**
 * Exponential and logarithm for inner loops: without the branches of {@link StrictMath}, within
 * three units of the last place, and like it the same bits on any machine. Stateless.
 */
public final class Exponentials {
  /*
   * exp(x) = 2^m 2^(j/64) exp(r) with 64 m + j the integer next to 64 x / log 2, so that r is at
   * most log(2)/128, where six terms of the series do; the powers of 2 are from a table and from the
   * exponent's bits. log(1 + x) = log(1 + j/64) + log(1 + r) with j next to 64 x, alike. Only
   * additions and multiplications of doubles are used: they are rounded alike on all machines.
   */
  private static final int STEPS = 64; // of a table
  private static final double STEPS_PER_LOG_2 = STEPS / StrictMath.log(2);
  private static final double FURTHEST = 700; // beyond, results may be infinite or subnormal

  // log(2)/64 in two parts, the first one of so few bits that its multiples here are exact.
  private static final double LOG_2_HIGH = 0x1.62e42fefp-7;
  private static final double LOG_2_LOW = 0x1.473de6af278edp-40;

  // Added to a number of less than 2⁵¹, it leaves no bits after the point.
  private static final double ROUNDING = 0x1.8p52;

  private static final double[] POWER = new double[STEPS];
  private static final double[] LOG = new double[2 * STEPS]; // a power of 2: no index to check
  private static final double[] INVERSE = new double[STEPS + 1];

  static {
    for (int step = 0; step < STEPS; step++) {
      POWER[step] = StrictMath.pow(2, step / (double) STEPS);
    }
    for (int step = 0; step <= STEPS; step++) {
      LOG[step] = StrictMath.log1p(step / (double) STEPS);
      INVERSE[step] = 1 / (1 + step / (double) STEPS);
    }
  }

  private Exponentials() {}

  public static double exp(double x) {
    if (!(Math.abs(x) <= FURTHEST)) {
      return StrictMath.exp(x);
    }
    double shifted = x * STEPS_PER_LOG_2 + ROUNDING;
    return scaled(expSeries(x, shifted - ROUNDING), shifted);
  }

  /** e^r − 1 of the rest after {@code whole} steps. */
  private static double expSeries(double x, double whole) {
    double r = (x - whole * LOG_2_HIGH) - whole * LOG_2_LOW;
    return r
        + r * r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720)))));
  }

  /** Times the power of 2 of as many steps as are in the last bits of {@code shifted}. */
  private static double scaled(double series, double shifted) {
    int steps = (int) Double.doubleToRawLongBits(shifted);
    double power = POWER[steps & (STEPS - 1)];
    return (power + power * series) * Double.longBitsToDouble(((steps >> 6) + 1023L) << 52);
  }

  /** log(1 + x) for x from 0 to 1. */
  public static double logOnePlus(double x) {
    int step = (int) (x * STEPS + 0.5);
    return LOG[step] + logSeries((x - step * (1.0 / STEPS)) * INVERSE[step]);
  }

  private static double logSeries(double r) {
    double inner = 1.0 / 3 + r * (-1.0 / 4 + r * (1.0 / 5 + r * (-1.0 / 6 + r * (1.0 / 7))));
    return r + r * r * (-1.0 / 2 + r * inner);
  }

  /**
   * e^x of the first {@code count} numbers, to the same bits as one by one.
   *
   * @param target another array than {@code x} and {@code scratch}
   */
  public static void exp(double[] x, int count, double[] target, double[] scratch) {
    for (int k = 0; k < count; k++) { // only arithmetic: vectorised
      double shifted = x[k] * STEPS_PER_LOG_2 + ROUNDING;
      scratch[k] = shifted;
      target[k] = expSeries(x[k], shifted - ROUNDING);
    }
    for (int k = 0; k < count; k++) {
      target[k] = scaled(target[k], scratch[k]);
      if (!(Math.abs(x[k]) <= FURTHEST)) {
        target[k] = StrictMath.exp(x[k]);
      }
    }
  }

  /**
   * log(1 + x) of the first {@code count} numbers from 0 to 1, to the same bits as one by one.
   *
   * @param target another array than {@code x} and {@code scratch}
   */
  public static void logOnePlus(double[] x, int count, double[] target, double[] scratch) {
    for (int k = 0; k < count; k++) { // only arithmetic: vectorised
      double step = Math.floor(x[k] * STEPS + 0.5);
      double near = step * (1.0 / STEPS);
      target[k] = step + ROUNDING; // an integer in its last bits
      scratch[k] = logSeries((x[k] - near) * (1 / (1 + near))); // cheaper than the table
    }
    for (int k = 0; k < count; k++) {
      int step = (int) Double.doubleToRawLongBits(target[k]);
      target[k] = LOG[step & (LOG.length - 1)] + scratch[k];
    }
  }
}
