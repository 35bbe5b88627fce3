package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.BinSums;
import io.holdfast.boosting.histogram.PackedBins;

/** The best split of each lane of a plane. Scratch: not thread-safe. */
final class ScanResult {
  /** Of each lane: the sums of what goes left; 0 if no split is worth its price. */
  final long[] left = new long[PackedBins.LANES];

  /** Scratch of the vector scan: what each candidate split of each lane adds to the left side. */
  final long[] candidates = new long[2 * BinSums.BINS * PackedBins.LANES];

  /** Scratch of the vector scan: the sums of the bins at the left end that are too few rows. */
  final long[] skipped = new long[PackedBins.LANES];
}
