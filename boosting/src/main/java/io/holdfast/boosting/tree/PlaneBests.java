package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;

/** The best split of each lane of a plane. Scratch: not thread-safe. */
final class PlaneBests {
  /** Of each lane: twice the last bin that goes left, and one more if missing values do; or −1. */
  final long[] split = new long[PackedRows.LANES];

  /** Of each lane: the sums of what goes left. */
  final long[] left = new long[PackedRows.LANES];

  // What a scan that goes stretch by stretch hands on from one to the next.
  final double[] numerator = new double[PackedRows.LANES];
  final double[] denominator = new double[PackedRows.LANES];
  final long[] sum = new long[PackedRows.LANES];
  final long[] next = new long[PackedRows.LANES];
  int lanes; // that are scanned

  final LeafScan joint = new LeafScan(); // of lanes of two leaves that are scanned together
}
