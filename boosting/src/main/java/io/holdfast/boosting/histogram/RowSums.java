package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.numeric.VectorForms;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The loop that adds up rows that have several values each. Stateless. */
sealed interface RowSums permits RowSums.Plain, VectorRowSums {
  VectorForms.Choice<RowSums> FORM =
      VectorForms.choose(
          "sums of several outputs",
          new Plain(),
          VectorForms.present() && VectorRowSums.supported() ? new VectorRowSums() : null,
          Sample::new);

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
   * channels)}: 1 to its first sum, the row's values to the others.
   *
   * @param firstCell the cell of bin 0
   */
  void add(
      Values values, BinColumn column, int firstCell, int[] rows, int from, int to, long[] cells);

  /** One sum at a time. */
  record Plain() implements RowSums {
    @Override
    public void add(
        Values values,
        BinColumn column,
        int firstCell,
        int[] rows,
        int from,
        int to,
        long[] cells) {
      int channels = values.channels();
      long[] added = values.values();
      for (int k = from; k < to; k++) {
        int target = (firstCell + column.bin(rows[k])) * (1 + channels);
        int source = rows[k] * channels;
        cells[target]++;
        for (int channel = 0; channel < channels; channel++) {
          cells[target + 1 + channel] += added[source + channel];
        }
      }
    }
  }

  /** Rows to add up: of columns of bytes and of chars, and of different numbers of classes. */
  final class Sample implements VectorForms.Trial<RowSums> {
    private static final int ROWS = 1_000;
    private static final int BINS = 8;

    private final int[] rows = IntStream.range(0, ROWS).toArray();
    private final BinColumn[] columns = new BinColumn[2];
    private final Values[] values = new Values[2];
    private final long[] cells = new long[BINS * (1 + 20)];

    private Sample() {
      var random = new SplittableRandom(1);
      int[] bins = random.ints(ROWS, 0, BINS).toArray();
      columns[0] = BinColumn.of(bins, BINS);
      columns[1] = BinColumn.of(bins, Character.MAX_VALUE);
      values[0] = new Values(20, new long[20 * ROWS]);
      values[1] = new Values(6, new long[6 * ROWS]);
      Arrays.setAll(values[0].values(), k -> random.nextInt());
    }

    @Override
    public int kinds() {
      return 4;
    }

    @Override
    public void run(RowSums loop, int kind) {
      loop.add(values[kind & 1], columns[kind >> 1], 0, rows, 0, ROWS, cells);
    }
  }
}
