package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;
import java.util.Arrays;

/**
 * One decision tree. Immutable: arrays are copied in and never handed out. Equal if all entries
 * are.
 *
 * <p>Inner nodes are numbered from 0, the root; children have higher numbers than their parents. A
 * negative child {@code c} is the leaf {@code -1 - c}. A tree of one leaf has no inner nodes.
 *
 * <p>Where a value goes: at a numeric node NaN is missing, and any other value goes left if it is
 * at most the threshold. At a categorical node a value that is no code (NaN, negative, or not a
 * whole number) is missing, and a code goes left if its bit is set in the node's category set, else
 * right. A missing value goes where the node's default says.
 */
public final class Tree {
  /** Leaves of a tree at most. */
  public static final int MAX_LEAVES = 1 << 16;

  /** Words of a node's category set at most: codes of a category are below 64 times this. */
  public static final int MAX_CATEGORY_WORDS = 1 << 10;

  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final long[][] categorySet;
  private final int[] left;
  private final int[] right;
  private final double[] leafValues;

  /**
   * A tree from its arrays, one entry an inner node; {@code categorySet[n]} is empty for a numeric
   * node.
   *
   * @throws IllegalArgumentException if the arrays do not describe a tree: lengths differ, a child
   *     is missing or reached twice or does not come after its parent, a feature is negative, a
   *     threshold NaN, a leaf value not finite, or a limit is exceeded
   */
  public Tree(
      int[] feature,
      double[] threshold,
      boolean[] missingLeft,
      long[][] categorySet,
      int[] left,
      int[] right,
      double[] leafValues) {
    int nodes = feature.length;
    Check.that(
        leafValues.length == nodes + 1,
        "a tree of %s inner nodes must have %s leaves: %s",
        nodes,
        nodes + 1,
        leafValues.length);
    Check.that(
        leafValues.length <= MAX_LEAVES,
        "a tree must have at most %s leaves: %s",
        MAX_LEAVES,
        leafValues.length);
    Check.that(
        threshold.length == nodes
            && missingLeft.length == nodes
            && categorySet.length == nodes
            && left.length == nodes
            && right.length == nodes,
        "all arrays of a tree of %s inner nodes must have that length: threshold %s, missingLeft %s,"
            + " categorySet %s, left %s, right %s",
        nodes,
        threshold.length,
        missingLeft.length,
        categorySet.length,
        left.length,
        right.length);
    this.feature = feature.clone();
    this.threshold = threshold.clone();
    this.missingLeft = missingLeft.clone();
    this.categorySet = new long[nodes][];
    for (int node = 0; node < nodes; node++) {
      this.categorySet[node] = categorySet[node].clone();
    }
    this.left = left.clone();
    this.right = right.clone();
    this.leafValues = leafValues.clone();
    checkNodes();
    checkChildren();
  }

  private void checkNodes() {
    for (int node = 0; node < feature.length; node++) {
      Check.that(
          feature[node] >= 0, "feature of node %s must be 0 or more: %s", node, feature[node]);
      Check.that(!Double.isNaN(threshold[node]), "threshold of node %s must not be NaN", node);
      Check.that(
          categorySet[node].length <= MAX_CATEGORY_WORDS,
          "category set of node %s must have at most %s words: %s",
          node,
          MAX_CATEGORY_WORDS,
          categorySet[node].length);
    }
    for (int leaf = 0; leaf < leafValues.length; leaf++) {
      Check.that(
          Double.isFinite(leafValues[leaf]),
          "value of leaf %s must be finite: %s",
          leaf,
          leafValues[leaf]);
    }
  }

  /**
   * n inner nodes have 2n children, and n − 1 other nodes and n + 1 leaves are to be reached: if
   * none is reached twice, all are reached once.
   */
  private void checkChildren() {
    int nodes = feature.length;
    boolean[] reached = new boolean[2 * nodes + 1]; // inner nodes, then leaves
    for (int node = 0; node < nodes; node++) {
      for (int child : new int[] {left[node], right[node]}) {
        Check.that(
            child < 0 ? child >= -leafValues.length : child > node && child < nodes,
            "a child of node %s must be a leaf from -%s to -1 or a node from %s to %s: %s",
            node,
            leafValues.length,
            node + 1,
            nodes - 1,
            child);
        int place = child < 0 ? nodes - 1 - child : child;
        Check.that(!reached[place], "child %s of node %s must have one parent only", child, node);
        reached[place] = true;
      }
    }
  }

  /** How many inner nodes there are. */
  public int innerNodes() {
    return feature.length;
  }

  /** How many leaves there are: one more than inner nodes. */
  public int leaves() {
    return leafValues.length;
  }

  /** The column that a node looks at. */
  public int feature(int node) {
    return feature[node];
  }

  /** The threshold of a numeric node; may be infinite, never NaN. */
  public double threshold(int node) {
    return threshold[node];
  }

  /** Where a node sends missing values. */
  public boolean missingLeft(int node) {
    return missingLeft[node];
  }

  /** Whether a node looks at categories. */
  public boolean categorical(int node) {
    return categorySet[node].length > 0;
  }

  /** The words of a categorical node's set, a copy; empty for a numeric node. */
  public long[] categorySet(int node) {
    return categorySet[node].clone();
  }

  /** The left child: a node, or the leaf {@code -1 - c} if negative. */
  public int left(int node) {
    return left[node];
  }

  /** The right child: a node, or the leaf {@code -1 - c} if negative. */
  public int right(int node) {
    return right[node];
  }

  /** The value of a leaf; finite. */
  public double leafValue(int leaf) {
    return leafValues[leaf];
  }

  /** The leaf that a row of features ends in. */
  public int leafOf(double[] features) {
    int node = feature.length == 0 ? -1 : 0;
    while (node >= 0) {
      node = goesLeft(node, features[feature[node]]) ? left[node] : right[node];
    }
    return -1 - node;
  }

  private boolean goesLeft(int node, double value) {
    if (!categorical(node)) {
      return Double.isNaN(value) ? missingLeft[node] : value <= threshold[node];
    }
    int code = (int) value;
    if (code != value || code < 0) {
      return missingLeft[node];
    }
    long[] set = categorySet[node];
    return code >> 6 < set.length && (set[code >> 6] >>> code & 1) != 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tree that
        && Arrays.equals(feature, that.feature)
        && Arrays.equals(threshold, that.threshold)
        && Arrays.equals(missingLeft, that.missingLeft)
        && Arrays.deepEquals(categorySet, that.categorySet)
        && Arrays.equals(left, that.left)
        && Arrays.equals(right, that.right)
        && Arrays.equals(leafValues, that.leafValues);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(feature) * 31 * 31
        + Arrays.hashCode(threshold) * 31
        + Arrays.hashCode(leafValues);
  }

  @Override
  public String toString() {
    return "Tree[leaves=" + leafValues.length + "]";
  }
}
