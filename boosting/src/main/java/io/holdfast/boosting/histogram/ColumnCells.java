package io.holdfast.boosting.histogram;

/** The rows and channel sums of each bin of one column, in one leaf. Scratch: not thread-safe. */
public final class ColumnCells {
  public final int channels;
  public final double[] sums; // channel k of bin b at b · channels + k
  public final int[] counts;

  public ColumnCells(int bins, int channels) {
    this.channels = channels;
    sums = new double[Math.multiplyExact(bins, channels)];
    counts = new int[bins];
  }
}
