package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;

/**
 * What {@link ProfileScan} has to know of a leaf beside {@link LeafScan}, and what it finds. Owned
 * by the growing thread, and while it waits by the one that scans.
 */
final class ProfileBound {
  /*
   * As in ContrastBound a split gains (G² + c²/d)/T less what the leaf gains, with T the leaf's own
   * curvature, L what goes left pulls on itself, and a on the leaf. Here all of it is in parts of T,
   *
   *   c/T = G_L − G a/T,  d/T² = L/T − (a/T)²,
   *
   * which saves two products a split. For the reasons given there L is taken to be smaller by LOST,
   * and where rounding leaves nothing of d the bound is out of reach.
   */
  static final double KEPT = 1 - 1e-9; // 1 less LOST
  static final double SMALLEST = Double.MIN_NORMAL;

  // In units of the layout, the hessian's field as it stands there.
  double gradient; // G
  double unit; // of the hessian's field, 1/T
  double ridge;
  double share;
  double pull;

  // By lane, of the best split: c² and d.
  final double[] numerator = new double[PackedRows.LANES];
  final double[] denominator = new double[PackedRows.LANES];

  final long[] sums = new long[2 * PackedRows.LANES]; // of pairs that were not scanned

  private double scale;
  private double least;

  /**
   * Turns to a leaf; all but {@code times} in units.
   *
   * @param leafGradient of the leaf
   * @param curvature its own, coupled along its profile
   * @param penalty of a leaf's step
   * @param times what makes gains of scores
   * @param leafGain what the leaf gains itself
   */
  void enter(double leafGradient, double curvature, double penalty, double times, double leafGain) {
    gradient = leafGradient;
    ridge = penalty / curvature;
    unit /= curvature;
    share /= curvature;
    pull /= curvature;
    scale = times / curvature;
    least = leafGain;
  }

  /**
   * c²/d of a split.
   *
   * @param left gradient of what goes left
   * @param hessian in its field
   * @param along sum of its numbers
   */
  double ratio(double left, double hessian, double along) {
    double plain = hessian * unit + ridge;
    double own = share * along * along + plain;
    double all = pull * along + plain;
    double across = left - gradient * all;
    return across * across / Math.max(own * KEPT - all * all, SMALLEST);
  }

  /** What a split of that c²/d gains at most. */
  double gain(double ratio) {
    return scale * (gradient * gradient + ratio) - least;
  }

  /** Writes what each lane's splits gain at most. */
  void read(double[] target) {
    for (int lane = 0; lane < target.length; lane++) {
      target[lane] = gain(numerator[lane] / denominator[lane]);
    }
  }
}
