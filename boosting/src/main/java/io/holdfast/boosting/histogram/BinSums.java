package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;

/**
 * Adds up one long a row by bin, for the columns of a plane of {@link PackedBins} at once: row by
 * row, as many additions as there are columns. Owned by one thread, and to be closed.
 */
public sealed interface BinSums extends AutoCloseable permits UnrolledBinSums, PlainBinSums {
  /** Bins that a column has at most, the missing one counted. */
  int BINS = BinColumn.Bytes.MOST_BINS;

  /** The fast one, or its plain twin while very many are in use. */
  static BinSums lease() {
    BinSums fast = UnrolledBinSums.lease();
    return fast == null ? new PlainBinSums() : fast;
  }

  /** The sums of all cells: of bin b of column c at {@link #first} + 8b + c. */
  long[] cells();

  /** Where they begin. */
  int first();

  /** Sets the first {@code bins} bins of all columns to 0. */
  void clear(int bins);

  /**
   * Adds {@code values[k]} to the bins that {@code plane[from + k]} holds, for k below {@code n}.
   *
   * @param width columns of the plane; what others there are hold bin 0 afterwards or anything
   */
  void add(long[] plane, int from, long[] values, int n, int width);

  /** Copies the first {@code bins} bins: bin b of column c comes to {@code to + 8b + c}. */
  void copy(int bins, long[] target, int to);

  /** Adds the first {@code bins} bins to what stands where {@link #copy} would write them. */
  void addTo(int bins, long[] target, int to);

  @Override
  void close();
}
