package io.holdfast.boosting.tree;

import io.holdfast.boosting.numeric.Buffers;
import java.util.stream.IntStream;

/** Rows of a tree, in one leaf. */
final class Partitions {
  private Partitions() {}

  static RowPartition of(int... rows) {
    RowPartition partition = new RowPartition(rows.length, new Buffers());
    System.arraycopy(rows, 0, partition.rows, 0, rows.length);
    partition.start(rows.length);
    return partition;
  }

  static RowPartition all(int size) {
    return of(IntStream.range(0, size).toArray());
  }
}
