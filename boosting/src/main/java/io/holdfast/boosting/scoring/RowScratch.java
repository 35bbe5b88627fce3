package io.holdfast.boosting.scoring;

/** Scratch of scoring a row. Owned by one thread; grows to its largest model. */
final class RowScratch {
  private static final int MOST_LANES = 64; // bytes of the widest vector

  int[] ranks = new int[2 * TreeLanes.COLUMNS]; // as many as a power of 2
  private long[] shifted = new long[ranks.length];
  double[] values = new double[2 * TreeLanes.COLUMNS];
  int[] found = new int[2 * TreeLanes.COLUMNS];
  int[] reached = new int[64];
  final byte[] bytes = new byte[TreeLanes.COLUMNS]; // ranks, in two tables
  boolean twoTables; // whether the second is needed
  final byte[] places = new byte[MOST_LANES];
  final int[] valueAt = new int[MOST_LANES]; // of these places

  void require(int columns, int trees) {
    if (ranks.length <= columns) {
      ranks = new int[Integer.highestOneBit(2 * columns)]; // and one that nobody reads
      shifted = new long[ranks.length];
      found = new int[ranks.length];
      values = new double[ranks.length];
    }
    if (reached.length < trees) {
      reached = new int[trees];
    }
  }

  /** The ranks, each times 2 to the power of {@code bits}. */
  long[] shiftedRanks(int bits) {
    for (int k = 0; k < shifted.length; k++) {
      shifted[k] = (long) ranks[k] << bits;
    }
    return shifted;
  }
}
