package io.holdfast.boosting.tree;

/** The rows and channel sums of each bin of one column, in one leaf. Scratch: not thread-safe. */
final class ColumnCells {
  final int channels;
  final double[] sums; // channel k of bin b at b · channels + k
  final int[] counts;

  ColumnCells(int bins, int channels) {
    this.channels = channels;
    sums = new double[Math.multiplyExact(bins, channels)];
    counts = new int[bins];
  }
}
