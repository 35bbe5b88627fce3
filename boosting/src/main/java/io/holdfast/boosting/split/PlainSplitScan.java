package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.PackedBins;
import io.holdfast.boosting.split.SplitScan.Result;

/** One lane after the other: what {@link VectorSplitScan} must agree with. */
final class PlainSplitScan implements SplitScan {
  @Override
  public void scan(long[] cells, int from, int bins, int width, ScanLeaf leaf, Result result) {
    for (int lane = 0; lane < width; lane++) {
      long missing = cells[from + bins * PackedBins.LANES + lane];
      result.left[lane] =
          missing == 0
              ? scanPresent(cells, from + lane, bins, leaf)
              : scanWithMissing(cells, from + lane, bins, leaf, missing);
    }
  }

  private static long scanPresent(long[] cells, int first, int bins, ScanLeaf leaf) {
    long countMask = leaf.countMask;
    long fewest = leaf.fewest;
    long most = leaf.most;
    double numerator = leaf.leastRatio;
    double denominator = 1;
    long best = 0;
    long sum = 0;
    for (int bin = 0, at = first; bin < bins; bin++, at += PackedBins.LANES) {
      sum += cells[at];
      long count = sum & countMask;
      if (count < fewest || count > most) {
        continue;
      }
      long hessian = sum >>> leaf.hessianShift & leaf.hessianMask;
      if (hessian < leaf.leastHessian || hessian > leaf.mostHessian) {
        continue;
      }
      double gradient = sum >> leaf.gradientShift;
      double a = hessian + leaf.ridge;
      double b = leaf.hessian - hessian + leaf.ridge;
      double c = gradient * b - (leaf.gradient - gradient) * a;
      double square = c * c;
      double product = a * b;
      if (square * denominator > numerator * product) {
        numerator = square;
        denominator = product;
        best = sum;
      }
    }
    return best;
  }

  /** Of each bin first the split that has the missing values right, then the one with them left. */
  private static long scanWithMissing(
      long[] cells, int first, int bins, ScanLeaf leaf, long missing) {
    double numerator = leaf.leastRatio;
    double denominator = 1;
    long best = 0;
    long present = 0;
    for (int bin = 0, at = first; bin < bins; bin++, at += PackedBins.LANES) {
      present += cells[at];
      if (cells[at] == 0 || (present & leaf.countMask) == 0) {
        continue; // has been tried, or is what all present against all missing is
      }
      for (int side = 0; side < 2; side++) {
        long sum = side == 0 ? present : present + missing;
        long count = sum & leaf.countMask;
        long hessian = sum >>> leaf.hessianShift & leaf.hessianMask;
        if (count < leaf.fewest
            || count > leaf.most
            || hessian < leaf.leastHessian
            || hessian > leaf.mostHessian) {
          continue;
        }
        double gradient = sum >> leaf.gradientShift;
        double a = hessian + leaf.ridge;
        double b = leaf.hessian - hessian + leaf.ridge;
        double c = gradient * b - (leaf.gradient - gradient) * a;
        double square = c * c;
        double product = a * b;
        if (square * denominator > numerator * product) {
          numerator = square;
          denominator = product;
          best = sum;
        }
      }
    }
    return best;
  }
}
