package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;

/** Column by column, and of those with missing values too. */
final class ScalarProfileScan implements ProfileScan {
  private static final int PAIRS = 2 * PackedRows.LANES;

  @Override
  public void most(
      long[] pairs, PlaneScan.Plane plane, LeafScan leaf, ProfileBound bound, double[] target) {
    for (int lane = 0; lane < plane.width(); lane++) {
      target[lane] = most(pairs, plane.from() + 2 * lane, plane.bins(), leaf, bound);
    }
  }

  /** What the splits of a column gain at most, with missing values on either side. */
  static double most(long[] pairs, int from, int bins, LeafScan leaf, ProfileBound bound) {
    int last = from + bins * PAIRS;
    long missing = pairs[last];
    long missingAlong = pairs[last + 1];
    long cell = 0;
    long along = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int at = from; at < last; at += PAIRS) {
      cell += pairs[at];
      along += pairs[at + 1];
      most = Math.max(most, ratio(cell, along, leaf, bound));
      if (missing != 0) {
        most = Math.max(most, ratio(cell + missing, along + missingAlong, leaf, bound));
      }
    }
    return bound.gain(most);
  }

  private static double ratio(long left, long along, LeafScan leaf, ProfileBound bound) {
    long count = left & leaf.countMask;
    if (count < leaf.fewest || count > leaf.most) {
      return Double.NEGATIVE_INFINITY;
    }
    long hessian = left & leaf.hessianMask << leaf.hessianShift;
    long gradient = left >> leaf.gradientShift;
    return bound.ratio((double) gradient, (double) hessian, (double) along);
  }
}
