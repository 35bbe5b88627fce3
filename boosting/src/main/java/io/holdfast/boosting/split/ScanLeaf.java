package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.CellLayout;
import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.histogram.Totals;
import java.util.Arrays;

/** What a split scan must know of its leaf. Written by the growing thread before others scan. */
final class ScanLeaf {
  /*
   * All sums are in units of the layout. With a = H_L + λ and b = H_R + λ for the two sides,
   *
   *   G_L²/a + G_R²/b − G²/(a + b) = (G_L b − G_R a)² / (a b (a + b)),
   *
   * so splits of a leaf are in order of c²/(ab) with c = G_L b − G_R a, which is compared without a
   * division: n/d > n'/d' if n d' > n' d. A split and its mirror image, equal sums on either side,
   * come out equal to the bit, and so do equal splits of different columns.
   */
  private static final double LARGEST_RIDGE = 0x1p100; // beyond, products might overflow
  private static final double EXACT = 0x1p53; // whole numbers up to it are doubles
  private static final long OUT_OF_REACH = 1L << 62; // units that no leaf has

  int gradientShift;
  int hessianShift;
  long hessianMask;
  long countMask;
  long fewest; // rows of a side; out of reach if there is no number that both sides can have
  long most;
  long leastHessian; // of a side; out of reach as above
  long mostHessian;
  double gradient;
  double hessian;
  double ridge;

  /** What c²/(ab) must exceed. */
  double leastRatio;

  /**
   * The same for vectors, each number as often as a plane has lanes, which is cheaper than
   * broadcasts in the loop. Hessians stay where they are in a cell, so they are 2^hessianShift
   * times as large. Comparisons are signed, so bounds and what is compared are shifted by the least
   * long.
   */
  final long[] constants = new long[Constant.END];

  /** Places of numbers in {@link #constants}. */
  static final class Constant {
    static final int COUNT_MASK = 0;
    static final int FEWEST = 8; // negated
    static final int COUNT_SPAN = 16;
    static final int HESSIAN_MASK = 24;
    static final int LEAST_HESSIAN = 32; // negated
    static final int HESSIAN_SPAN = 40;
    static final int WHOLE = 48;
    static final int GRADIENT_BITS = 56;
    static final int SIGNED = 64;
    static final int LESS_RIDGE = 72;
    static final int BOTH = 80;
    static final int MINUS_GRADIENT = 88;
    static final int LEAST_RATIO = 96;
    private static final int END = 104;

    private Constant() {}
  }

  /** Added to sums, it makes gradients positive, so that an unsigned shift reads them. */
  static final long BIAS = Long.MIN_VALUE;

  // A whole number becomes the last digits of these, which makes a double of it.
  private static final double WHOLE = 0x1p52;
  private static final double SIGNED = 0x1.8p52;

  /** Whether a, b and c are whole and never rounded, so that operations may be reordered. */
  boolean exact;

  /** Whether the limits on rows and hessians can hold for both sides. */
  boolean splittable() {
    return Math.max(fewest, leastHessian) < OUT_OF_REACH;
  }

  /** Whether a scan finds the best splits. */
  static boolean applies(Penalties penalties, TreeLimits limits, CellLayout layout) {
    // A side without curvature would be divided by 0.
    double ridge = penalties.lambda2();
    boolean curved = limits.minHessian() > 0 || ridge > 0 || layout.hessianBits() == 0;
    return curved && penalties.lambda1() == 0 && ridge <= LARGEST_RIDGE * layout.hessianUnit();
  }

  /** Turns to a leaf whose sums of gradients and hessians, which are whole units, are these. */
  void enter(Totals totals, CellLayout layout, TreeLimits limits, Penalties penalties) {
    gradientShift = layout.gradientShift();
    hessianShift = layout.hessianShift();
    hessianMask = layout.hessianMask();
    countMask = layout.countMask();
    gradient = totals.sums()[0] / layout.gradientUnit();
    hessian = layout.hessianBits() == 0 ? totals.rows() : totals.sums()[1] / layout.hessianUnit();
    ridge = penalties.lambda2() / layout.hessianUnit();
    fewest = limits.minRows();
    most = totals.rows() - fewest;
    fewest = fewest <= most ? fewest : OUT_OF_REACH;
    leastHessian = atLeast(limits.minHessian(), layout.hessianUnit());
    mostHessian = (long) hessian - leastHessian;
    leastHessian = leastHessian <= mostHessian ? leastHessian : OUT_OF_REACH;
    double both = hessian + 2 * ridge;
    exact =
        ridge == Math.rint(ridge)
            && both * (1L << hessianShift) <= EXACT / 2
            && both * layout.mostGradient() <= EXACT;
    double slope = totals.sums()[0];
    double score = slope * slope / (totals.sums()[1] + penalties.lambda2());
    double square = gradient * gradient;
    double unit = layout.gradientUnit() / layout.hessianUnit() * layout.gradientUnit();
    double least =
        both * ((2 * (limits.minGain() + penalties.leafPrice()) + score) / unit) - square;
    // A bit less, since it is rounded: the gain that is computed in the end decides.
    leastRatio = least - 1e-9 * Math.abs(least) - 1e-15 * square;
    if (exact && splittable()) {
      putConstants();
    }
  }

  private void putConstants() {
    double scale = 1L << hessianShift;
    put(Constant.COUNT_MASK, countMask);
    put(Constant.FEWEST, BIAS - fewest);
    put(Constant.COUNT_SPAN, BIAS + (most - fewest));
    put(Constant.HESSIAN_MASK, hessianMask << hessianShift);
    put(Constant.LEAST_HESSIAN, BIAS - (leastHessian << hessianShift));
    put(Constant.HESSIAN_SPAN, BIAS + ((mostHessian - leastHessian) << hessianShift));
    put(Constant.WHOLE, WHOLE);
    put(Constant.GRADIENT_BITS, Double.doubleToRawLongBits(SIGNED) - (BIAS >>> gradientShift));
    put(Constant.SIGNED, SIGNED);
    put(Constant.LESS_RIDGE, WHOLE - ridge * scale);
    put(Constant.BOTH, (hessian + 2 * ridge) * scale);
    put(Constant.MINUS_GRADIENT, -gradient);
    put(Constant.LEAST_RATIO, leastRatio);
  }

  private void put(int at, double value) {
    put(at, Double.doubleToRawLongBits(value));
  }

  private void put(int at, long value) {
    Arrays.fill(constants, at, at + PackedBins.LANES, value);
  }

  /** The fewest units that are at least {@code sum}. */
  private static long atLeast(double sum, double unit) {
    if (!(sum / unit < OUT_OF_REACH)) {
      return OUT_OF_REACH;
    }
    long units = (long) Math.ceil(sum / unit);
    while (units > 0 && (units - 1) * unit >= sum) {
      units--;
    }
    while (units * unit < sum) {
      units++;
    }
    return units;
  }
}
