package io.holdfast.boosting.data;

/**
 * One column's bin of every row, in the narrowest storage. Bins are numbered from 0; the one after
 * the last holds the missing values. Immutable; safe to share.
 */
public sealed interface BinColumn {

  /** The bin of a row. */
  int bin(int row);

  /** Adds the first {@code rows} rows, by bin; the last count is that of missing values. */
  void count(int rows, int[] counts);

  /**
   * Adds {@code rows[from, to)} into the cells of a histogram, of three sums each: how many rows,
   * and those of two values. Allocates nothing.
   *
   * @param pairs the values of {@code rows[k]} at {@code 2k} and {@code 2k + 1}
   * @param cells those of cell {@code c} from {@code 3c} on
   * @param firstCell the cell of this column's bin 0
   */
  void accumulate(int[] rows, int from, int to, long[] pairs, long[] cells, int firstCell);

  /**
   * Moves those of {@code rows[from, to)} that go left before the others, each side in the order it
   * was in.
   *
   * @param right by bin: 1 if it goes right, else 0
   * @param scratch of {@code to - from} entries at least
   * @return the end of those that go left
   */
  default int part(int[] rows, int from, int to, int[] right, int[] scratch) {
    int left = divide(rows, from, to, right, scratch, 0);
    System.arraycopy(scratch, 0, rows, left, to - left);
    return left;
  }

  /**
   * Does half of what {@link #part} does: those that go right are left in {@code scratch} from
   * {@code first} on, and what stands in their place is no one's.
   *
   * @param scratch of {@code to - from} entries from {@code first} on, which are no one's but for
   *     those
   */
  int divide(int[] rows, int from, int to, int[] right, int[] scratch, int first);

  /** A column of {@code bins} bins, the missing one counted, from the bin of each row. */
  static BinColumn of(int[] binOf, int bins) {
    if (bins <= Bytes.MOST_BINS) {
      byte[] bytes = new byte[binOf.length];
      for (int row = 0; row < bytes.length; row++) {
        bytes[row] = (byte) binOf[row];
      }
      return new Bytes(bytes);
    }
    char[] chars = new char[binOf.length];
    for (int row = 0; row < chars.length; row++) {
      chars[row] = (char) binOf[row];
    }
    return new Chars(chars);
  }

  /** At most 256 bins: an unsigned byte each. */
  final class Bytes implements BinColumn {
    /** Bins at most, that of missing values counted. */
    public static final int MOST_BINS = 1 << Byte.SIZE;

    private final byte[] bins;

    /** Entries after those of the rows are no one's. */
    Bytes(byte[] bins) {
      this.bins = bins;
    }

    /** The array itself, which is not to be written to. */
    public byte[] bins() {
      return bins;
    }

    @Override
    public int bin(int row) {
      return bins[row] & 0xFF;
    }

    @Override
    public void count(int rows, int[] counts) {
      for (int row = 0; row < rows; row++) {
        counts[bins[row] & 0xFF]++;
      }
    }

    @Override
    public void accumulate(
        int[] rows, int from, int to, long[] pairs, long[] cells, int firstCell) {
      for (int k = from; k < to; k++) {
        int cell = 3 * (firstCell + (bins[rows[k]] & 0xFF));
        cells[cell]++;
        cells[cell + 1] += pairs[2 * k];
        cells[cell + 2] += pairs[2 * k + 1];
      }
    }

    @Override
    public int divide(int[] rows, int from, int to, int[] right, int[] scratch, int first) {
      return PartitionLoop.FORM.current().divide(bins, rows, from, to, right, scratch, first);
    }
  }

  /** At most 65,536 bins: a char each. */
  final class Chars implements BinColumn {
    private final char[] bins;

    /** Entries after those of the rows are no one's. */
    Chars(char[] bins) {
      this.bins = bins;
    }

    @Override
    public int bin(int row) {
      return bins[row];
    }

    @Override
    public void count(int rows, int[] counts) {
      for (int row = 0; row < rows; row++) {
        counts[bins[row]]++;
      }
    }

    @Override
    public void accumulate(
        int[] rows, int from, int to, long[] pairs, long[] cells, int firstCell) {
      for (int k = from; k < to; k++) {
        int cell = 3 * (firstCell + bins[rows[k]]);
        cells[cell]++;
        cells[cell + 1] += pairs[2 * k];
        cells[cell + 2] += pairs[2 * k + 1];
      }
    }

    @Override
    public int divide(int[] rows, int from, int to, int[] right, int[] scratch, int first) {
      int left = from;
      int moved = first;
      for (int k = from; k < to; k++) {
        int row = rows[k];
        int goesRight = right[bins[row]]; // no branch: it could not be guessed
        rows[left] = row;
        scratch[moved] = row;
        left += 1 - goesRight;
        moved += goesRight;
      }
      return left;
    }
  }
}
