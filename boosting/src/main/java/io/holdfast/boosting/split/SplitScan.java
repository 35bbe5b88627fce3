package io.holdfast.boosting.split;

/** Finds the best threshold of each column of a plane of packed cells. Stateless. */
sealed interface SplitScan permits PlainSplitScan, VectorSplitScan {
  /**
   * Scans {@code width} lanes.
   *
   * @param cells of the plane from {@code from} on, as {@link
   *     io.holdfast.boosting.histogram.PackedBins} has them
   * @param bins rows of cells before that of the missing values
   */
  void scan(long[] cells, int from, int bins, int width, ScanLeaf leaf, ScanResult result);
}
