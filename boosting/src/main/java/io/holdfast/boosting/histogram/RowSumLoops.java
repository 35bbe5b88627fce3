package io.holdfast.boosting.histogram;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.numeric.VectorModule;
import io.holdfast.boosting.numeric.VectorTrial;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which loop adds up rows of several values: the scalar one, and from when it is compiled and
 * faster the one by vectors, if the machine and the virtual machine's options have them. Sums are
 * whole numbers and come out the same, so when it changes is nobody's concern.
 */
final class RowSumLoops {
  static final RowSums SCALAR = new PlainRowSums();

  private static volatile RowSums current = SCALAR;

  static {
    RowSums vectors = vectors();
    if (vectors != null) {
      VectorTrial.begin("holdfast-row-sums-warm-up", () -> warmUp(vectors));
    }
  }

  private RowSumLoops() {}

  /** The best there is at the moment. */
  static RowSums current() {
    return current;
  }

  /** The loop by vectors, compiled or not; null if there is none. */
  static @Nullable RowSums vectors() {
    return VectorModule.present() && VectorRowSums.supported() ? new VectorRowSums() : null;
  }

  private static void warmUp(RowSums vectors) {
    var sample = new Sample();
    if (VectorTrial.won(
        Sample.KINDS, kind -> sample.add(SCALAR, kind), kind -> sample.add(vectors, kind))) {
      current = vectors;
    }
  }

  /** Rows to add up. */
  private static final class Sample {
    static final int KINDS = 4; // of columns, of bytes and of chars, and numbers of classes
    private static final int ROWS = 1_000;
    private static final int BINS = 8;

    private final int[] rows = IntStream.range(0, ROWS).toArray();
    private final BinColumn[] columns = new BinColumn[2];
    private final RowSums.Values[] values = new RowSums.Values[2];
    private final long[] cells;

    Sample() {
      var random = new SplittableRandom(1);
      int[] bins = random.ints(ROWS, 0, BINS).toArray();
      columns[0] = BinColumn.of(bins, BINS);
      columns[1] = BinColumn.of(bins, Character.MAX_VALUE);
      values[0] = new RowSums.Values(20, new long[20 * ROWS]);
      values[1] = new RowSums.Values(6, new long[6 * ROWS]);
      Arrays.setAll(values[0].values(), k -> random.nextInt());
      cells = new long[BINS * (1 + 20)];
    }

    void add(RowSums loop, int kind) {
      loop.add(values[kind & 1], columns[kind >> 1], 0, rows, 0, ROWS, cells);
    }
  }
}
