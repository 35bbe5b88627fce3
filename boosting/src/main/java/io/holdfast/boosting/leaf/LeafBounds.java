package io.holdfast.boosting.leaf;

import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.Arrays;
import java.util.List;

/** The least and the largest step of each leaf that keep monotone features monotone. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LeafBounds(double[] lower, double[] upper) {

  static LeafBounds none(int leaves) {
    double[] lower = new double[leaves];
    double[] upper = new double[leaves];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    return new LeafBounds(lower, upper);
  }

  /** Those that a tree was grown within. */
  static LeafBounds of(TreeStructure tree) {
    LeafBounds bounds = none(tree.leaves());
    Arrays.setAll(bounds.lower, tree::lowerBound);
    Arrays.setAll(bounds.upper, tree::upperBound);
    return bounds;
  }

  /**
   * Bounds that keep a tree of one value a leaf as monotone as it is: at a split on a monotone
   * column, half-way between the nearest values of the two sides.
   *
   * @param monotone +1, −1 or 0 by column; empty for none
   */
  static LeafBounds ofValues(Tree tree, List<Integer> monotone) {
    LeafBounds leaves = none(tree.leaves());
    if (monotone.stream().allMatch(direction -> direction == 0)) {
      return leaves;
    }
    int nodes = tree.innerNodes();
    double[] least = new double[nodes];
    double[] most = new double[nodes];
    for (int node = nodes - 1; node >= 0; node--) { // children have higher numbers
      int left = tree.left(node);
      int right = tree.right(node);
      least[node] = Math.min(extreme(tree, left, least), extreme(tree, right, least));
      most[node] = Math.max(extreme(tree, left, most), extreme(tree, right, most));
    }
    LeafBounds inner = none(nodes);
    for (int node = 0; node < nodes; node++) {
      int direction = monotone.get(tree.feature(node));
      int low = direction < 0 ? tree.right(node) : tree.left(node); // the side of lower values
      int high = direction < 0 ? tree.left(node) : tree.right(node);
      double lower = inner.lower[node];
      double upper = inner.upper[node];
      double between = 0.5 * (extreme(tree, low, most) + extreme(tree, high, least));
      double middle = Math.clamp(between, lower, upper);
      (low < 0 ? leaves : inner).set(low, lower, direction == 0 ? upper : middle);
      (high < 0 ? leaves : inner).set(high, direction == 0 ? lower : middle, upper);
    }
    return leaves;
  }

  private static double extreme(Tree tree, int child, double[] ofNodes) {
    return child < 0 ? tree.leafValue(-1 - child) : ofNodes[child];
  }

  private void set(int child, double least, double most) {
    int at = child < 0 ? -1 - child : child;
    lower[at] = least;
    upper[at] = most;
  }

  /** These bounds times a positive scale. */
  LeafBounds times(double scale) {
    return new LeafBounds(LeafSolver.times(lower, scale), LeafSolver.times(upper, scale));
  }
}
