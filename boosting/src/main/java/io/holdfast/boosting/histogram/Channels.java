package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;

/**
 * What a histogram cell adds up of its rows: how many they are, and after that the channels, in
 * fixed point. The methods that take rows to lay them out are called by the grower's thread; {@link
 * #accumulate} and {@link #read} by any, for different columns.
 */
public sealed interface Channels
    permits ScalarChannels, OutputChannels, AnchorCoupling.AnchorChannels {

  /** Sums a cell has beside the number of its rows. */
  int count();

  /**
   * Takes the derivatives that the next tree grows on; returns the sums over its rows.
   *
   * @param gradients output-major, weight included; hessians alike
   * @param sample the rows that splits are to be found for
   */
  Totals start(double[] gradients, double[] hessians, RowSample sample);

  /** Lays out {@code rows[from, to)}, before that stretch is accumulated. */
  void gather(int[] rows, int from, int to);

  /** Adds the stretch that was gathered last into the cells of a column. Allocates nothing. */
  void accumulate(BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells);

  /** Reads {@code bins} cells. */
  void read(long[] cells, int firstCell, int bins, ColumnCells target);

  /** The rows and channel sums of each bin of one column, in one leaf. Scratch: not thread-safe. */
  final class ColumnCells {
    public final int channels;
    public final double[] sums; // channel k of bin b at b · channels + k
    public final int[] counts;

    public ColumnCells(int bins, int channels) {
      this.channels = channels;
      sums = new double[Math.multiplyExact(bins, channels)];
      counts = new int[bins];
    }
  }
}
