package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.histogram.RowSample;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Workers;

/**
 * Row numbers, a stretch for each leaf, ascending within each. Owned by the growing thread; others
 * may read while it waits for them.
 */
final class RowPartition {
  private static final int FEWEST_SHARED = 4_096; // of a part: some microseconds

  final int[] rows;
  private final int[] scratch;
  private int size;

  RowPartition(int capacity, Buffers buffers) {
    rows = buffers.ints(capacity);
    scratch = buffers.ints(capacity);
  }

  /** How many rows there are, of all leaves. */
  int size() {
    return size;
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
   * Moves the rows of {@code [from, to)} that go left before the others; returns how far they
   * reach.
   *
   * @param right by bin: 1 if it goes right, else 0
   */
  int part(int from, int to, BinColumn column, int[] right, Workers workers) {
    int parts = Math.min(workers.count(), (to - from) / FEWEST_SHARED);
    if (parts <= 1) {
      return column.part(rows, from, to, right, scratch);
    }
    // Each part by itself; then those of the left side, and of the right, one after the other.
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
