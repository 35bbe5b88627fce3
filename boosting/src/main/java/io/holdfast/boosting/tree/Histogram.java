package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinnedRows;
import java.util.Arrays;

/** Gradient, hessian and rows in each cell of each column, of one leaf. Not thread-safe. */
final class Histogram {
  final double[] sums; // gradient and hessian of cell c at 2c and 2c + 1
  final int[] counts;

  Histogram(int cells) {
    sums = new double[2 * cells];
    counts = new int[cells];
  }

  /**
   * Makes this the histogram of {@code rows[from, to)}. Allocates nothing.
   *
   * @param pairs gradient and hessian of {@code rows[k]} at {@code 2k} and {@code 2k + 1}
   */
  void fill(BinnedRows binned, int[] rows, int from, int to, double[] pairs) {
    Arrays.fill(sums, 0);
    Arrays.fill(counts, 0);
    for (int column = 0; column < binned.columns(); column++) {
      binned
          .column(column)
          .accumulate(rows, from, to, pairs, sums, counts, binned.firstCell(column));
    }
  }

  /** Takes away a part: what is left is the histogram of the other rows. */
  void subtract(Histogram part) {
    for (int k = 0; k < sums.length; k++) {
      sums[k] -= part.sums[k];
    }
    for (int cell = 0; cell < counts.length; cell++) {
      counts[cell] -= part.counts[cell];
    }
  }
}
