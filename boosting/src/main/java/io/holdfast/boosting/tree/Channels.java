package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;

/**
 * What a histogram cell adds up of its rows. The methods that take rows to lay them out are called
 * by the grower's thread; {@link #accumulate} by any, for different columns.
 */
sealed interface Channels permits ScalarChannels, VectorChannels, GroupChannels {

  /** Sums a cell has. */
  int count();

  /**
   * The derivatives that the next tree grows on; not copied unless it pays.
   *
   * @param gradients output-major, weight included; hessians alike
   */
  void derivatives(double[] gradients, double[] hessians);

  /** The sums over {@code rows[0, size)}, in that order. */
  Totals totals(int[] rows, int size);

  /** Lays out {@code rows[from, to)}, before that stretch is accumulated. */
  void gather(int[] rows, int from, int to);

  /** Adds the stretch that was gathered last into the cells of a column. Allocates nothing. */
  void accumulate(
      BinColumn column, int firstCell, int[] rows, int from, int to, Histogram histogram);
}
