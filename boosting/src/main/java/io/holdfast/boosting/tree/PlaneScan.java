package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.PackedRows;

/** Finds the best threshold of each column of a plane of packed cells. Stateless. */
sealed interface PlaneScan permits ScalarPlaneScan, VectorHalfPlaneScan, VectorPlaneScan {
  /**
   * Scans {@code width} lanes.
   *
   * @param cells of the plane from {@code from} on, as {@link io.holdfast.boosting.data.PackedRows}
   *     has them
   * @param bins rows of cells before that of the missing values
   */
  void scan(long[] cells, int from, int bins, int width, LeafScan leaf, PlaneBests bests);

  /**
   * Takes {@code part} away from {@code rest}, and scans both.
   *
   * @param part of one leaf, as above
   * @param rest of that leaf and another one, which it is then of alone
   */
  default void scanBoth(
      long[] part, long[] rest, Plane plane, LeafScan[] leaves, PlaneBests[] bests) {
    int end = plane.from() + PackedRows.LANES * (plane.bins() + 1);
    for (int k = plane.from(); k < end; k++) {
      rest[k] -= part[k];
    }
    scan(part, plane.from(), plane.bins(), plane.width(), leaves[0], bests[0]);
    scan(rest, plane.from(), plane.bins(), plane.width(), leaves[1], bests[1]);
  }

  /** Where the cells of a plane are: what {@link #scan} calls its arguments. */
  record Plane(int from, int bins, int width) {}
}
