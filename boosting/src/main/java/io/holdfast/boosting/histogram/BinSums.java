package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import java.util.Arrays;

/**
 * Adds up one long a row by bin, for the columns of a plane of {@link PackedBins} at once: row by
 * row, as many additions as there are columns. Owned by one thread, and to be closed.
 */
public sealed interface BinSums extends AutoCloseable permits UnrolledBinSums, BinSums.Plain {
  /** Bins that a column has at most, the missing one counted. */
  int BINS = BinColumn.Bytes.MOST_BINS;

  /** The fast one, or its plain twin while very many are in use. */
  static BinSums lease() {
    BinSums fast = UnrolledBinSums.lease();
    return fast == null ? new Plain() : fast;
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

  /** The plain twin of {@link UnrolledBinSums}. */
  final class Plain implements BinSums {
    private final long[] cells = new long[BINS * PackedBins.LANES];

    @Override
    public long[] cells() {
      return cells;
    }

    @Override
    public int first() {
      return 0;
    }

    @Override
    public void clear(int bins) {
      Arrays.fill(cells, 0, bins * PackedBins.LANES, 0);
    }

    @Override
    public void add(long[] plane, int from, long[] values, int n, int width) {
      for (int k = 0; k < n; k++) {
        long bins = plane[from + k];
        for (int lane = 0; lane < width; lane++) {
          cells[(int) (bins >>> (lane * Byte.SIZE) & 0xFF) * PackedBins.LANES + lane] += values[k];
        }
      }
    }

    @Override
    public void copy(int bins, long[] target, int to) {
      System.arraycopy(cells, 0, target, to, bins * PackedBins.LANES);
    }

    @Override
    public void addTo(int bins, long[] target, int to) {
      for (int k = 0; k < bins * PackedBins.LANES; k++) {
        target[to + k] += cells[k];
      }
    }

    @Override
    public void close() {}
  }
}
