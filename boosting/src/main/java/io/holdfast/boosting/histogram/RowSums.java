package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;

/** The loop that adds up rows that have several values each. Stateless. */
sealed interface RowSums permits PlainRowSums, VectorRowSums {

  /**
   * Values of rows.
   *
   * @param channels how many a row has, an even number
   * @param values those of row r from {@code r · channels} on
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Values(int channels, long[] values) {}

  /**
   * Adds {@code rows[from, to)} to the cells of a column, of which cell c is at {@code c · (1 +
   * channels)}: one to the first of its sums, and to the others what the row has.
   *
   * @param firstCell the cell of bin 0
   */
  void add(
      Values values, BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells);
}
