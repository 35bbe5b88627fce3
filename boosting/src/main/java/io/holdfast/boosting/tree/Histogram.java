package io.holdfast.boosting.tree;

import java.util.Arrays;

/**
 * Channels and rows in each cell of each column, of one leaf. Cells of different columns may be
 * written by different threads.
 */
final class Histogram {
  final int channels;
  final double[] sums; // channel k of cell c at c · channels + k
  final int[] counts;

  Histogram(int cells, int channels) {
    this.channels = channels;
    sums = new double[Math.multiplyExact(cells, channels)];
    counts = new int[cells];
  }

  void clear(int firstCell, int endCell) {
    Arrays.fill(sums, firstCell * channels, endCell * channels, 0);
    Arrays.fill(counts, firstCell, endCell, 0);
  }

  /** Takes away a part: what is left is the histogram of the other rows. */
  void subtract(Histogram part, int firstCell, int endCell) {
    for (int k = firstCell * channels; k < endCell * channels; k++) {
      sums[k] -= part.sums[k];
    }
    for (int cell = firstCell; cell < endCell; cell++) {
      counts[cell] -= part.counts[cell];
    }
  }
}
