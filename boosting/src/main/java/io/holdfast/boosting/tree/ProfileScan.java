package io.holdfast.boosting.tree;

/** Finds out what splits of neighbouring columns gain at most by {@link LeafProfile}. Stateless. */
sealed interface ProfileScan permits ScalarProfileScan, VectorProfileScan {
  /**
   * Writes what the splits of each of the columns gain at most that leave enough rows on either
   * side, −∞ if there are none.
   *
   * @param pairs a cell and the sum of its rows' numbers side by side, as {@link
   *     io.holdfast.boosting.data.PairSums#cells} has them
   * @param plane where those of the columns are; at most eight, without missing values: of others
   *     that are there it says nothing
   */
  void most(
      long[] pairs, PlaneScan.Plane plane, LeafScan leaf, ProfileBound bound, double[] target);
}
