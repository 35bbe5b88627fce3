package io.holdfast.boosting.leaf;

import java.util.ArrayList;
import java.util.List;

/** Layouts of leaves that are given row by row, without bounds. */
final class Layouts {
  private Layouts() {}

  /** One tree for the first raw score. */
  static LeafLayout of(int[] leafOf, int leaves) {
    return of(leafOf, leaves, 0);
  }

  /** One tree for one of the raw scores. */
  static LeafLayout of(int[] leafOf, int leaves, int output) {
    return new LeafLayout(
        List.of(new LeafLayout.Leaves(leafOf, output, 1, LeafBounds.none(leaves))));
  }

  /** A tree for each raw score, all with these leaves. */
  static LeafLayout perOutput(int[] leafOf, int leaves, int outputs) {
    List<LeafLayout.Leaves> trees = new ArrayList<>();
    for (int k = 0; k < outputs; k++) {
      trees.add(new LeafLayout.Leaves(leafOf, k, 1, LeafBounds.none(leaves)));
    }
    return new LeafLayout(trees);
  }

  /** One tree whose leaves hold a value for each raw score. */
  static LeafLayout vector(int[] leafOf, int leaves, int outputs) {
    return new LeafLayout(
        List.of(new LeafLayout.Leaves(leafOf, 0, outputs, LeafBounds.none(leaves))));
  }
}
