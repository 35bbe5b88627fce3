package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;

/** Row numbers, a stretch a leaf, ascending within each. Owned by the growing thread. */
final class RowPartition {
  private static final int FEWEST_SHARED = 4_096; // of a part: some microseconds

  final int[] rows;
  private final int[] scratch;
  private int size;

  RowPartition(int capacity, Buffers buffers) {
    rows = buffers.ints(capacity);
    scratch = buffers.ints(capacity);
  }

  /** The rows of all leaves. */
  RowSample sample() {
    return new RowSample(rows, size);
  }

  /** Starts with one leaf of the first {@code count} of {@code rows}. */
  void start(int count) {
    size = count;
  }

  /**
   * Moves the rows of {@code [from, to)} that go left before the others; returns their end.
   *
   * @param right by bin: 1 if it goes right, else 0
   */
  int part(int from, int to, BinColumn column, int[] right, Workers workers) {
    int parts = Math.min(workers.count(), (to - from) / FEWEST_SHARED);
    if (parts <= 1) {
      return column.part(rows, from, to, right, scratch);
    }
    // Each part by itself; then their left sides are joined, and their right sides.
    int[] starts = new int[parts + 1];
    int[] ends = new int[parts]; // of each part's left side
    for (int part = 0; part <= parts; part++) {
      starts[part] = from + (int) ((long) (to - from) * part / parts);
    }
    workers.run(
        parts,
        true,
        (worker, part) ->
            ends[part] =
                column.divide(rows, starts[part], starts[part + 1], right, scratch, starts[part]));
    int left = ends[0];
    for (int part = 1; part < parts; part++) {
      int size = ends[part] - starts[part];
      System.arraycopy(rows, starts[part], rows, left, size);
      left += size;
    }
    int at = left;
    for (int part = 0; part < parts; part++) {
      int size = starts[part + 1] - ends[part];
      System.arraycopy(scratch, starts[part], rows, at, size);
      at += size;
    }
    return left;
  }
}
