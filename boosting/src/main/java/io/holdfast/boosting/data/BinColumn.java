package io.holdfast.boosting.data;

/**
 * One column's bin of every row, in the narrowest storage. Bins are numbered from 0; the one after
 * the last holds the missing values. Immutable; safe to share.
 */
public sealed interface BinColumn {

  /** The bin of a row. */
  int bin(int row);

  /**
   * Adds {@code rows[from, to)}, in that order, into a histogram. Allocates nothing.
   *
   * @param pairs gradient and hessian of {@code rows[k]} at {@code 2k} and {@code 2k + 1}
   * @param sums gradient and hessian of cell {@code c} at {@code 2c} and {@code 2c + 1}
   * @param counts rows of cell {@code c}
   * @param firstCell the cell of this column's bin 0
   */
  void accumulate(
      int[] rows, int from, int to, double[] pairs, double[] sums, int[] counts, int firstCell);

  /** A column of {@code bins} bins, the missing one counted, from the bin of each row. */
  static BinColumn of(int[] binOf, int bins) {
    if (bins <= 1 << Byte.SIZE) {
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
    private final byte[] bins;

    private Bytes(byte[] bins) {
      this.bins = bins;
    }

    @Override
    public int bin(int row) {
      return bins[row] & 0xFF;
    }

    @Override
    public void accumulate(
        int[] rows, int from, int to, double[] pairs, double[] sums, int[] counts, int firstCell) {
      for (int k = from; k < to; k++) {
        int cell = firstCell + (bins[rows[k]] & 0xFF);
        sums[2 * cell] += pairs[2 * k];
        sums[2 * cell + 1] += pairs[2 * k + 1];
        counts[cell]++;
      }
    }
  }

  /** At most 65,536 bins: a char each. */
  final class Chars implements BinColumn {
    private final char[] bins;

    private Chars(char[] bins) {
      this.bins = bins;
    }

    @Override
    public int bin(int row) {
      return bins[row];
    }

    @Override
    public void accumulate(
        int[] rows, int from, int to, double[] pairs, double[] sums, int[] counts, int firstCell) {
      for (int k = from; k < to; k++) {
        int cell = firstCell + bins[rows[k]];
        sums[2 * cell] += pairs[2 * k];
        sums[2 * cell + 1] += pairs[2 * k + 1];
        counts[cell]++;
      }
    }
  }
}
