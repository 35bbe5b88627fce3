package io.holdfast.boosting.leaf;

import java.util.List;

/** Layouts of leaves that are given row by row. */
final class Layouts {
  private Layouts() {}

  /** One tree for the first raw score. */
  static LeafLayout of(int[] leafOf, int leaves) {
    return of(leafOf, leaves, 0);
  }

  /** One tree for one of the raw scores. */
  static LeafLayout of(int[] leafOf, int leaves, int output) {
    return LeafLayout.of(List.of(new LeafLayout.Leaves(leafOf, leaves, output, 1)));
  }
}
