package io.holdfast.boosting.tree;

/**
 * Finds out for neighbouring columns at once what {@link CandidateSplits#most} says of one.
 * Stateless.
 */
sealed interface ContrastScan permits VectorContrastScan, VectorHalfContrastScan {
  /** How many columns are scanned at once. */
  int columns();

  /**
   * Writes what the splits of each of the columns gain at most, −∞ if none is allowed. Those of
   * columns that have missing values say nothing.
   *
   * @param cells as {@link io.holdfast.boosting.data.PackedRows} has them
   * @param plane where those of the columns are, {@link #columns()} at most
   * @param further how much further on those of contrasts stand
   */
  void most(
      long[] cells,
      PlaneScan.Plane plane,
      int further,
      LeafScan leaf,
      ContrastBound bound,
      double[] target);
}
