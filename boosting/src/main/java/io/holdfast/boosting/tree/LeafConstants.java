package io.holdfast.boosting.tree;

import java.util.Arrays;

/**
 * What {@link VectorHalfPlaneScan} has to know of a leaf, each number as many times as a vector has
 * lanes. Written by the growing thread before others scan.
 */
final class LeafConstants {
  /*
   * To be loaded, since the compiler makes broadcasts anew in every round of a loop, by up to three
   * instructions each.
   */
  static final int TIMES = 8;

  /** 2⁵², and with a sign: a whole number becomes their last digits. */
  static final double WHOLE = 0x1p52;

  static final double SIGNED = 0x1.8p52;

  /** Added to sums, so that their gradients have no sign. */
  static final long BIAS = Long.MIN_VALUE;

  // Where they stand.
  static final int COUNT_MASK = 0;
  static final int FEWEST = 8;
  static final int MOST = 16;
  static final int HESSIAN_MASK = 24;
  static final int LEAST_HESSIAN = 32;
  static final int MOST_HESSIAN = 40;
  static final int WHOLE_BITS = 48;
  static final int SIGNED_BITS = 56;
  static final int RIDGE = 64;
  static final int HESSIAN = 72;
  static final int GRADIENT = 80;
  static final int NONE = 88;
  static final int SIGN = 96;

  // Of fields that are not shifted, so that all hessians are 2^hessianShift times as large.
  static final int FIELD = 104;
  static final int LEAST_IN_FIELD = 112;
  static final int BELOW_LEFT = 120; // 2⁵² less the ridge
  static final int ABOVE_RIGHT = 128; // 2⁵² and the leaf's hessian and the ridge
  static final int BOTH = 136;
  static final int MINUS_GRADIENT = 144;

  static final int MOST_IN_FIELD = 152;

  static final int LOW_HALF = 160; // the lower 32 bits

  // Of counts that are compared as if they had no sign.
  static final int LESS_FEWEST = 168;
  static final int SPAN = 176;

  // Of hessians' fields, likewise.
  static final int LESS_LEAST = 184;
  static final int FIELD_SPAN = 192;

  // For vectors that compare numbers without a sign, and have hessians where they are.
  static final int ROW_SPAN = 200;
  static final int STEP_SPAN = 208;
  static final int RIDGE_IN_FIELD = 216;
  static final int LEAST_RATIO = 224;
  static final int TWO = 232;

  final long[] values = new long[240];

  /** Turns to a leaf, whose numbers are there. */
  void enter(LeafScan leaf) {
    double scale = 1L << leaf.hessianShift;
    double ridge = leaf.ridge * scale;
    put(COUNT_MASK, leaf.countMask);
    put(FEWEST, leaf.fewest);
    put(MOST, leaf.most);
    put(HESSIAN_MASK, leaf.hessianMask);
    put(LEAST_HESSIAN, leaf.leastHessian);
    put(MOST_HESSIAN, leaf.mostHessian);
    put(WHOLE_BITS, WHOLE);
    put(SIGNED_BITS, Double.doubleToRawLongBits(SIGNED) - (BIAS >>> leaf.gradientShift));
    put(RIDGE, leaf.ridge);
    put(HESSIAN, leaf.hessian);
    put(GRADIENT, leaf.gradient);
    put(NONE, Double.NEGATIVE_INFINITY);
    put(SIGN, SIGNED);
    put(FIELD, leaf.hessianMask << leaf.hessianShift);
    put(LEAST_IN_FIELD, leaf.leastHessian << leaf.hessianShift);
    put(BELOW_LEFT, WHOLE - ridge);
    put(ABOVE_RIGHT, WHOLE + leaf.hessian * scale + ridge);
    put(BOTH, leaf.hessian * scale + 2 * ridge);
    put(MINUS_GRADIENT, -leaf.gradient);
    put(MOST_IN_FIELD, leaf.mostHessian << leaf.hessianShift);
    put(LOW_HALF, (1L << Integer.SIZE) - 1);
    put(LESS_FEWEST, Long.MIN_VALUE - leaf.fewest);
    put(SPAN, Long.MIN_VALUE + leaf.rowSpan);
    put(LESS_LEAST, Long.MIN_VALUE - (leaf.leastHessian << leaf.hessianShift));
    put(ROW_SPAN, leaf.rowSpan);
    put(STEP_SPAN, leaf.hessianSpan << leaf.hessianShift);
    put(RIDGE_IN_FIELD, ridge);
    put(LEAST_RATIO, leaf.leastRatio);
    put(TWO, 2);
    put(FIELD_SPAN, Long.MIN_VALUE + (leaf.hessianSpan << leaf.hessianShift));
  }

  /** Takes lanes below {@code split} from the first, others from the second. */
  void join(LeafConstants first, LeafConstants second, int split) {
    System.arraycopy(first.values, 0, values, 0, values.length);
    for (int at = 0; at < values.length; at += TIMES) {
      for (int lane = split; lane < TIMES; lane++) {
        values[at + lane] = second.values[at + lane];
      }
    }
  }

  private void put(int at, double value) {
    put(at, Double.doubleToRawLongBits(value));
  }

  private void put(int at, long value) {
    Arrays.fill(values, at, at + TIMES, value);
  }
}
