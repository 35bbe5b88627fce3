package io.holdfast.boosting.data;

import io.holdfast.boosting.numeric.VectorForms;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The inner loop of {@link BinColumn#divide} for bins that are bytes. Stateless. */
sealed interface PartitionLoop permits PartitionLoop.Plain, VectorPartitionLoop {
  VectorForms.Choice<PartitionLoop> FORM =
      VectorForms.choose(
          "partition of rows",
          new Plain(),
          VectorForms.present() && VectorPartitionLoop.supported()
              ? new VectorPartitionLoop()
              : null,
          Sample::new);

  /** As {@link BinColumn#divide}, given the bin of each row. */
  int divide(byte[] bins, int[] rows, int from, int to, int[] right, int[] scratch, int first);

  /** Row by row. */
  record Plain() implements PartitionLoop {
    @Override
    public int divide(
        byte[] bins, int[] rows, int from, int to, int[] right, int[] scratch, int first) {
      int left = from;
      int moved = first;
      for (int k = from; k < to; k++) {
        int row = rows[k];
        int goesRight = right[bins[row] & 0xFF]; // no branch: it could not be guessed
        rows[left] = row;
        scratch[moved] = row;
        left += 1 - goesRight;
        moved += goesRight;
      }
      return left;
    }
  }

  final class Sample implements VectorForms.Trial<PartitionLoop> {
    private static final int ROWS = 4_003; // no multiple of eight: all loops are to be compiled
    private static final int BINS = BinColumn.Bytes.MOST_BINS;

    private final byte[] bins = new byte[ROWS];
    private final int[] right = new int[BINS];
    private final int[] rows = new int[ROWS];
    private final int[] scratch = new int[ROWS];

    private Sample() {
      new SplittableRandom(1).nextBytes(bins);
      Arrays.fill(right, BINS / 2, BINS, 1);
    }

    @Override
    public int kinds() {
      return 1;
    }

    @Override
    public void run(PartitionLoop loop, int kind) {
      Arrays.setAll(rows, k -> k);
      loop.divide(bins, rows, 0, ROWS, right, scratch, 0);
    }
  }
}
