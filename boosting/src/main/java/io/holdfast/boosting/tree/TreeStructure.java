package io.holdfast.boosting.tree;

import io.holdfast.boosting.model.Tree;
import java.util.Arrays;

/** The splits of a grown tree and the leaf of each training row: a tree without leaf values. */
public final class TreeStructure {
  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final long[][] categories;
  private final int[] left;
  private final int[] right;
  private final int[] leafOf;
  private int nodes;

  TreeStructure(int maxLeaves, int rows) {
    int capacity = maxLeaves - 1;
    feature = new int[capacity];
    threshold = new double[capacity];
    missingLeft = new boolean[capacity];
    categories = new long[capacity][];
    left = new int[capacity];
    right = new int[capacity];
    leafOf = new int[rows];
  }

  /** How many leaves there are. */
  public int leaves() {
    return nodes + 1;
  }

  /** The leaf of each training row, a copy. */
  public int[] leafOf() {
    return leafOf.clone();
  }

  /** The tree with these leaf values. */
  public Tree withLeafValues(double[] leafValues) {
    return new Tree(
        Arrays.copyOf(feature, nodes),
        Arrays.copyOf(threshold, nodes),
        Arrays.copyOf(missingLeft, nodes),
        Arrays.copyOf(categories, nodes),
        Arrays.copyOf(left, nodes),
        Arrays.copyOf(right, nodes),
        leafValues);
  }

  /** Appends a node whose children are leaves; returns its number. */
  int add(Split split, int leftLeaf, int rightLeaf) {
    feature[nodes] = split.column();
    threshold[nodes] = split.threshold();
    missingLeft[nodes] = split.missingLeft();
    categories[nodes] = split.categories();
    left[nodes] = -1 - leftLeaf;
    right[nodes] = -1 - rightLeaf;
    return nodes++;
  }

  /** Makes {@code child} the child of {@code parent} in the place of a leaf. */
  void replaceLeaf(int parent, int leaf, int child) {
    if (left[parent] == -1 - leaf) {
      left[parent] = child;
    } else {
      right[parent] = child;
    }
  }

  void assign(int[] rows, int from, int to, int leaf) {
    for (int k = from; k < to; k++) {
      leafOf[rows[k]] = leaf;
    }
  }
}
