package io.holdfast.boosting.model;

import io.holdfast.boosting.Check;

/**
 * One decision tree. Immutable: arrays are copied in and never handed out.
 *
 * <p>Inner nodes are numbered from 0, the root; children have higher numbers than their parents. A
 * negative child {@code c} is the leaf {@code -1 - c}. A tree of one leaf has no inner nodes. A
 * numeric node sends a value left if it is at most the threshold; a categorical node if its bit is
 * set in the node's category set; a missing value goes where the node's default says.
 */
public final class Tree {
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
   * @throws IllegalArgumentException if the arrays do not describe a tree
   */
  public Tree(
      int[] feature,
      double[] threshold,
      boolean[] missingLeft,
      long[][] categorySet,
      int[] left,
      int[] right,
      double[] leafValues) {
    Check.that(leafValues.length >= 1, "a tree must have a leaf: %s", leafValues.length);
    this.feature = feature.clone();
    this.threshold = threshold.clone();
    this.missingLeft = missingLeft.clone();
    this.categorySet = new long[categorySet.length][];
    for (int node = 0; node < categorySet.length; node++) {
      this.categorySet[node] = categorySet[node].clone();
    }
    this.left = left.clone();
    this.right = right.clone();
    this.leafValues = leafValues.clone();
  }

  public int innerNodes() {
    return feature.length;
  }

  public int leaves() {
    return leafValues.length;
  }

  public int feature(int node) {
    return feature[node];
  }

  public double threshold(int node) {
    return threshold[node];
  }

  public boolean missingLeft(int node) {
    return missingLeft[node];
  }

  public boolean categorical(int node) {
    return categorySet[node].length > 0;
  }

  /** The words of a categorical node's set, a copy; empty for a numeric node. */
  public long[] categorySet(int node) {
    return categorySet[node].clone();
  }

  public int left(int node) {
    return left[node];
  }

  public int right(int node) {
    return right[node];
  }

  public double leafValue(int leaf) {
    return leafValues[leaf];
  }
}
