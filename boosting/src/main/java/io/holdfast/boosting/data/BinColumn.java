package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.Buffers;

/**
 * One column's bin of every row, in the narrowest storage. Bins are numbered from 0; the one after
 * the last holds the missing values. Immutable; safe to share.
 */
public sealed interface BinColumn {

  int bin(int row);

  /** Adds the first {@code rows} rows, by bin; the last count is that of missing values. */
  default void count(int rows, int[] counts) {
    for (int row = 0; row < rows; row++) {
      counts[bin(row)]++;
    }
  }

  /**
   * Adds {@code rows[from, to)} into the cells of a histogram, of three sums each: the number of
   * rows, and those of two values. Allocates nothing.
   *
   * @param pairs the values of {@code rows[k]} at {@code 2k} and {@code 2k + 1}
   * @param cells cell {@code c} is from {@code 3c} on
   * @param firstCell the cell of this column's bin 0
   */
  void accumulate(int[] rows, int from, int to, long[] pairs, long[] cells, int firstCell);

  /**
   * Moves those of {@code rows[from, to)} that go left before the others, keeping the order of each
   * side; returns the end of those that go left.
   *
   * @param right by bin: 1 if it goes right, else 0
   * @param scratch of {@code to - from} entries at least
   */
  default int part(int[] rows, int from, int to, int[] right, int[] scratch) {
    int left = divide(rows, from, to, right, scratch, 0);
    System.arraycopy(scratch, 0, rows, left, to - left);
    return left;
  }

  /**
   * As {@link #part}, but those that go right are left in {@code scratch} from {@code first} on, of
   * which {@code to - from} entries may be written; the rest of {@code rows[from, to)} is
   * undefined.
   */
  int divide(int[] rows, int from, int to, int[] right, int[] scratch, int first);

  /** A column of {@code bins} bins, the missing one counted, from the bin of each row. */
  static BinColumn of(int[] binOf, int bins) {
    return of(binOf, binOf.length, bins, new Buffers());
  }

  /** As above, of the first {@code size} rows, in an array of {@code buffers}. */
  static BinColumn of(int[] binOf, int size, int bins, Buffers buffers) {
    if (bins <= Bytes.MOST_BINS) {
      byte[] bytes = buffers.bytes(size);
      for (int row = 0; row < size; row++) {
        bytes[row] = (byte) binOf[row];
      }
      return new Bytes(bytes);
    }
    char[] chars = buffers.chars(size);
    for (int row = 0; row < size; row++) {
      chars[row] = (char) binOf[row];
    }
    return new Chars(chars);
  }

  /** At most 256 bins: an unsigned byte each. */
  final class Bytes implements BinColumn {
    /** Bins at most, that of missing values counted. */
    public static final int MOST_BINS = 1 << Byte.SIZE;

    private final byte[] bins;

    /** The array may be longer than there are rows. */
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

    /** The array may be longer than there are rows. */
    Chars(char[] bins) {
      this.bins = bins;
    }

    @Override
    public int bin(int row) {
      return bins[row];
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
