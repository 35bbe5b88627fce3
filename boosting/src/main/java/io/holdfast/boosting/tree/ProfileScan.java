package io.holdfast.boosting.tree;

/** Finds out what splits of neighbouring columns gain at most by {@link LeafProfile}. Stateless. */
sealed interface ProfileScan permits ScalarProfileScan, VectorProfileScan {
  /**
   * Writes what the splits of each of the columns gain at most that leave enough rows on either
   * side, −∞ if there are none.
   *
   * @param sums of the leaf's {@link ProfileCells}
   * @param plane where those of the columns are; at most eight, without missing values: of others
   *     that are there it says nothing
   * @param cells whose fields the sums have
   */
  void most(
      long[] sums,
      PlaneScan.Plane plane,
      LeafScan leaf,
      ProfileCells cells,
      ProfileBound bound,
      double[] target);
}
