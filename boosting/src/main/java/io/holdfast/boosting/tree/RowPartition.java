package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.numeric.Buffers;

/**
 * Row numbers, a stretch for each leaf, ascending within each. Owned by the growing thread; others
 * may read while it waits for them.
 */
final class RowPartition {
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
  int part(int from, int to, BinColumn column, int[] right) {
    return column.part(rows, from, to, right, scratch);
  }
}
