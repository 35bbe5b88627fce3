package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;

/** Column by column, and of those with missing values too. */
final class ScalarProfileScan implements ProfileScan {
  @Override
  public void most(
      long[] sums,
      PlaneScan.Plane plane,
      LeafScan leaf,
      ProfileCells cells,
      ProfileBound bound,
      double[] target) {
    for (int lane = 0; lane < plane.width(); lane++) {
      target[lane] = most(sums, plane.from() + lane, plane.bins(), leaf, cells, bound);
    }
  }

  /** What the splits of a column gain at most, with missing values on either side. */
  static double most(
      long[] sums, int from, int bins, LeafScan leaf, ProfileCells cells, ProfileBound bound) {
    int last = from + bins * PackedRows.LANES;
    long missing = sums[last];
    long left = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int at = from; at < last; at += PackedRows.LANES) {
      left += sums[at];
      most = Math.max(most, ratio(left, leaf, cells, bound));
      if (missing != 0) {
        most = Math.max(most, ratio(left + missing, leaf, cells, bound));
      }
    }
    return bound.gain(most);
  }

  private static double ratio(long left, LeafScan leaf, ProfileCells cells, ProfileBound bound) {
    long count = left & cells.countMask;
    if (count < leaf.fewest || count > leaf.most) {
      return Double.NEGATIVE_INFINITY;
    }
    long gradient = left >> cells.gradientShift;
    long hessian = left & cells.hessianMask;
    long along = left & cells.alongMask;
    return bound.ratio((double) gradient, (double) hessian, (double) along);
  }
}
