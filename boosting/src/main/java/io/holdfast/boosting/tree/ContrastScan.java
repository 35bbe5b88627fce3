package io.holdfast.boosting.tree;

/**
 * Finds out for four neighbouring columns at once what {@link CandidateSplits#most} says of one.
 * Stateless.
 */
sealed interface ContrastScan permits VectorHalfContrastScan {
  /** How many columns are scanned at once. */
  int COLUMNS = 4;

  /**
   * Writes what the splits of each of the columns gain at most, −∞ if none is allowed. Those of
   * columns that have missing values say nothing.
   *
   * @param cells of the first column's first bin at {@code from}, as {@link
   *     io.holdfast.boosting.data.PackedRows} has them
   * @param further how much further on those of contrasts stand
   * @param bins of the plane
   */
  void most(
      long[] cells,
      int from,
      int further,
      int bins,
      LeafScan leaf,
      ContrastBound bound,
      double[] target);
}
