package io.holdfast.boosting.tree;

/**
 * What a scan of packed cells has to know of the leaf. Written by the growing thread before others
 * scan.
 */
final class LeafScan {
  /*
   * All sums are in units of the layout. With a = H_L + λ and b = H_R + λ for a split's two sides,
   *
   *   G_L²/a + G_R²/b − G²/(a + b) = (G_L b − G_R a)² / (a b (a + b)),
   *
   * so splits of a leaf are in order of c²/(ab) with c = G_L b − G_R a, which is compared without a
   * division: n/d > n'/d' if n d' > n' d. A split and its mirror image, equal sums on either side,
   * come out equal to the bit, and so do equal splits of different columns.
   */
  private static final double LARGEST_RIDGE = 0x1p100; // beyond, products might overflow

  private static final long OUT_OF_REACH = 1L << 62; // units that no leaf has
  private static final double EXACT = 0x1p53; // whole numbers up to it are doubles

  int gradientShift;
  int hessianShift;
  long hessianMask;
  long countMask;
  long fewest; // rows of a side; out of reach if there is no number that both sides can have
  long most;
  long rowSpan; // from fewest to most: a count is allowed if it less fewest, unsigned, is at most
  // this
  long leastHessian; // of a side; out of reach as above
  long mostHessian;
  long hessianSpan;
  double gradient;
  double hessian;
  double ridge;

  final LeafConstants constants = new LeafConstants();

  /** What c²/(ab) must exceed. */
  double leastRatio;

  /**
   * Whether a, b and c are whole numbers, none of them rounded on the way, whichever way, nor with
   * the hessians {@code 2^hessianShift} times as large.
   */
  boolean exact;

  /** Whether sides of enough rows have enough hessian, whatever rows they are. */
  boolean counted;

  /** Whether there are numbers of rows and hessians that both sides can have. */
  boolean splittable() {
    return Math.max(fewest, leastHessian) < OUT_OF_REACH;
  }

  /** Whether a scan says all there is to say. */
  static boolean applies(Penalties penalties, TreeLimits limits, PackedLayout layout) {
    // A side without curvature would be divided by 0.
    boolean curved =
        limits.minHessian() > 0 || penalties.lambda2() > 0 || layout.hessianBits() == 0;
    return curved
        && penalties.lambda1() == 0
        && penalties.lambda2() <= LARGEST_RIDGE * layout.hessianUnit();
  }

  /** Turns to a leaf whose sums of gradients and hessians, which are whole units, are these. */
  void enter(Totals totals, PackedLayout layout, TreeLimits limits, Penalties penalties) {
    double slope = totals.sums()[0];
    double score = slope * slope / (totals.sums()[1] + penalties.lambda2());
    enter(totals, score, layout, limits, penalties);
  }

  /** As above, where splits must gain so much more than this score to be taken. */
  void enter(
      Totals totals,
      double parentScore,
      PackedLayout layout,
      TreeLimits limits,
      Penalties penalties) {
    gradientShift = layout.gradientShift();
    hessianShift = layout.hessianShift();
    hessianMask = layout.hessianMask();
    countMask = layout.countMask();
    gradient = totals.sums()[0] / layout.gradientUnit();
    hessian = layout.hessianBits() == 0 ? totals.rows() : totals.sums()[1] / layout.hessianUnit();
    ridge = penalties.lambda2() / layout.hessianUnit();
    fewest = limits.minRows();
    most = totals.rows() - fewest;
    rowSpan = Math.max(0, most - fewest);
    fewest = fewest <= most ? fewest : OUT_OF_REACH;
    leastHessian = atLeast(limits.minHessian(), layout.hessianUnit());
    mostHessian = (long) hessian - leastHessian;
    hessianSpan = Math.max(0, mostHessian - leastHessian);
    leastHessian = leastHessian <= mostHessian ? leastHessian : OUT_OF_REACH;
    counted = splittable() && (double) fewest * layout.leastHessian() >= leastHessian;
    double both = hessian + 2 * ridge;
    exact =
        ridge == Math.rint(ridge)
            && both * (1L << hessianShift) <= EXACT / 2
            && both * layout.mostGradient() <= EXACT;
    double square = gradient * gradient;
    double unit = layout.gradientUnit() / layout.hessianUnit() * layout.gradientUnit();
    double least =
        both * ((2 * (limits.minGain() + penalties.leafPrice()) + parentScore) / unit) - square;
    // A bit less, since it is rounded: the gain that is computed in the end decides.
    leastRatio = least - 1e-9 * Math.abs(least) - 1e-15 * square;
    constants.enter(this);
  }

  /** Whether lanes of both can be scanned together. */
  boolean joins(LeafScan other) {
    return exact && other.exact && splittable() && other.splittable() && counted == other.counted;
  }

  /** Turns to two leaves that can be joined: lanes from {@code split} on are the second one's. */
  void join(LeafScan first, LeafScan second, int split) {
    gradientShift = first.gradientShift;
    hessianShift = first.hessianShift;
    exact = true;
    counted = first.counted;
    constants.join(first.constants, second.constants, split);
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
