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
   *
   * Sums are those of rounded numbers. With p = H/T + λ/T of a side, x its sum of numbers, p + ux = a/T
   * and p + vx² = L/T, sums that are off by δp and δx have another d by
   *
   *   (1 − 2 a/T) δp + 2 (v x − u a/T) δx + v δx² − (δp + u δx)²,
   *
   * which is at most δp + 2 u δx + v δx², since a/T is between 0 and 1 and v x is at most u, and another
   * c by |G| (δp + u δx), and by what the gradient is off.
   */
  static final double KEPT = 1 - 1e-9; // 1 less LOST
  static final double SMALLEST = Double.MIN_NORMAL;

  // Of sums as they stand in their fields.
  double gradient; // G
  double unit; // of the hessian's, 1/T
  double ridge;
  double share;
  double pull;

  // By what rounded sums may be too small, the numerator's root, and too large, the denominator.
  double wider;
  double lost;

  // By lane, of the best split: c² and d.
  final double[] numerator = new double[PackedRows.LANES];
  final double[] denominator = new double[PackedRows.LANES];

  final long[] sums = new long[PackedRows.LANES]; // of cells that were not scanned
  long lanes; // that columns have, a bit each
  long countMask; // of the cells

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

  /** Turns to the fields that the leaf's sums stand in, once it was turned to the leaf. */
  void enter(ProfileCells cells) {
    double plain = unit * cells.hessianError;
    double along = pull * cells.alongError;
    wider = (cells.gradientError + Math.abs(gradient) * (plain + along)) / cells.gradientScale;
    lost = plain + 2 * along + share * cells.alongError * cells.alongError;
    gradient /= cells.gradientScale;
    scale *= cells.gradientScale * cells.gradientScale;
    unit *= cells.hessianScale;
    share *= cells.alongScale * cells.alongScale;
    pull *= cells.alongScale;
  }

  /**
   * c²/d of a split.
   *
   * @param left gradient of what goes left
   * @param hessian in its field
   * @param along sum of its numbers, in its field
   */
  double ratio(double left, double hessian, double along) {
    double plain = hessian * unit + ridge;
    double own = share * along * along + plain;
    double all = pull * along + plain;
    double across = Math.abs(left - gradient * all) + wider;
    return across * across / Math.max(own * KEPT - lost - all * all, SMALLEST);
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
