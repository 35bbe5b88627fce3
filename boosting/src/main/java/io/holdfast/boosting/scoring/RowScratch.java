package io.holdfast.boosting.scoring;

/** What scoring a row writes to on the way. Owned by one thread; grows to its largest model. */
final class RowScratch {
  private static final int MOST_LANES = 64; // bytes of the widest vector

  int[] ranks = new int[TreeLanes.COLUMNS + 1];
  double[] values = new double[64];
  int[] found = new int[64];
  int[] reached = new int[64];
  final byte[] bytes = new byte[TreeLanes.COLUMNS]; // ranks, in two tables
  boolean twoTables; // whether the second is needed
  final byte[] places = new byte[MOST_LANES];
  final int[] valueAt = new int[MOST_LANES]; // of these places

  void require(int columns, int trees) {
    if (ranks.length <= columns) {
      ranks = new int[columns + 1]; // and one that nobody reads
      found = new int[columns];
      values = new double[columns];
    }
    if (reached.length < trees) {
      reached = new int[trees];
    }
  }
}
