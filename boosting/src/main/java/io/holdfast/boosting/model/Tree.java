package io.holdfast.boosting.model;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.numeric.Check;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One decision tree. Immutable: arrays are copied in and never handed out. Equal if all entries
 * are.
 *
 * <p>A leaf holds {@link #outputs} values, which add to as many raw scores from {@link #output} on:
 * one value to the one raw score there is, one to that of a class, or one to that of each class.
 *
 * <p>Inner nodes are numbered from 0, the root; children have higher numbers than their parents. A
 * negative child {@code c} is the leaf {@code -1 - c}. A tree of one leaf has no inner nodes.
 *
 * <p>At a numeric node NaN is missing, and any other value goes left if it is at most the
 * threshold. At a categorical node a value that is no code (NaN, negative, or not a whole number)
 * is missing, and a code goes left if its bit, or that of its group where the node has groups, is
 * set in the node's category set. A missing value goes where the node's default says.
 */
public final class Tree {
  /** Leaves of a tree at most. */
  public static final int MAX_LEAVES = 1 << 16;

  /** Words of a node's category set at most: what it holds is below 64 times this. */
  public static final int MAX_CATEGORY_WORDS = 1 << 10;

  private static final long[] NO_CATEGORIES = {}; // of all numeric nodes: 16 bytes saved a node
  private static final float[] NONE = {};
  private static final @Nullable CategoryGroups[] UNGROUPED = {};

  /**
   * The columns that nodes look at, as bits: what fits them need not be held against every node.
   *
   * @param beyond whether some are beyond the first 64, which have no bit
   */
  record Columns(long numeric, long categorical, boolean beyond) {
    private static Columns of(int[] feature, long[][] categorySet) {
      long numeric = 0;
      long categorical = 0;
      boolean beyond = false;
      for (int node = 0; node < feature.length; node++) {
        beyond |= feature[node] >= Long.SIZE;
        if (categorySet[node].length > 0) {
          categorical |= 1L << feature[node];
        } else {
          numeric |= 1L << feature[node];
        }
      }
      return new Columns(numeric, categorical, beyond);
    }

    /** Whether there are no others than those of the bits. */
    boolean within(long numeric, long categorical) {
      return !beyond && (this.numeric & ~numeric) == 0 && (this.categorical & ~categorical) == 0;
    }
  }

  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final long[][] categorySet;
  private final int categoryWords; // of all nodes
  private final @Nullable CategoryGroups[] groups; // of each node; UNGROUPED if none has any
  private final Columns columns;
  private final int[] left;
  private final int[] right;
  private final double[] leafValues; // of leaf l at [l · outputs, (l + 1) · outputs)
  private final int output;
  private final int outputs;
  private final float[] gains;
  private final float[] leafCovers;

  /** As below, with one value a leaf, for the first raw score. */
  public Tree(
      int[] feature,
      double[] threshold,
      boolean[] missingLeft,
      long[][] categorySet,
      int[] left,
      int[] right,
      double[] leafValues) {
    this(feature, threshold, missingLeft, categorySet, left, right, new Leaves(leafValues, 0, 1));
  }

  /** Leaf values, of leaf 0 first, and the raw scores that they add to. Immutable. */
  public static final class Leaves {
    private final double[] values;
    private final int output;
    private final int outputs;

    /** Of {@code outputs} values each, which add to the raw scores from {@code output} on. */
    public Leaves(double[] values, int output, int outputs) {
      Check.that(
          outputs >= 1 && values.length % outputs == 0,
          "the %s leaf values of a tree must be a multiple of its outputs: %s",
          values.length,
          outputs);
      Check.that(output >= 0, "the output of a tree must be 0 or more: %s", output);
      this.values = values.clone();
      this.output = output;
      this.outputs = outputs;
    }
  }

  /**
   * A tree from its arrays, one entry an inner node; {@code categorySet[n]} is empty for a numeric
   * node.
   *
   * @throws IllegalArgumentException if the arrays do not describe a tree, for example if a child
   *     is reached twice, a threshold is NaN, a leaf value not finite, or a limit exceeded
   */
  public Tree(
      int[] feature,
      double[] threshold,
      boolean[] missingLeft,
      long[][] categorySet,
      int[] left,
      int[] right,
      Leaves leaves) {
    int nodes = feature.length;
    int count = leaves.values.length / leaves.outputs;
    Check.that(
        count == nodes + 1,
        "a tree of %s inner nodes must have %s leaves: %s",
        nodes,
        nodes + 1,
        count);
    Check.that(count <= MAX_LEAVES, "a tree must have at most %s leaves: %s", MAX_LEAVES, count);
    Check.that(
        threshold.length == nodes
            && missingLeft.length == nodes
            && categorySet.length == nodes
            && left.length == nodes
            && right.length == nodes,
        "all arrays of a tree of %s inner nodes must have that length: threshold %s, missingLeft"
            + " %s, categorySet %s, left %s, right %s",
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
    int words = 0;
    for (int node = 0; node < nodes; node++) {
      words += categorySet[node].length;
      this.categorySet[node] =
          categorySet[node].length == 0 ? NO_CATEGORIES : categorySet[node].clone();
    }
    categoryWords = words;
    groups = UNGROUPED;
    this.left = left.clone();
    this.right = right.clone();
    leafValues = leaves.values;
    output = leaves.output;
    outputs = leaves.outputs;
    gains = NONE;
    leafCovers = NONE;
    checkNodes();
    checkChildren();
    columns = Columns.of(this.feature, this.categorySet);
  }

  private Tree(
      Tree tree,
      double[] leafValues,
      @Nullable CategoryGroups[] groups,
      float[] gains,
      float[] leafCovers) {
    feature = tree.feature;
    threshold = tree.threshold;
    missingLeft = tree.missingLeft;
    categorySet = tree.categorySet;
    categoryWords = tree.categoryWords;
    this.groups = groups;
    columns = tree.columns;
    left = tree.left;
    right = tree.right;
    this.leafValues = leafValues.clone();
    output = tree.output;
    outputs = tree.outputs;
    this.gains = gains.clone();
    this.leafCovers = leafCovers.clone();
  }

  /**
   * This tree with what is known of its training, which explanations use.
   *
   * @param gains what each inner node's split gained; finite
   * @param leafCovers the weight of the training rows in each leaf; finite, 0 or more
   */
  public Tree withStatistics(float[] gains, float[] leafCovers) {
    Check.that(
        gains.length == innerNodes() && leafCovers.length == leaves(),
        "a tree of %s inner nodes must have as many gains, and a cover more: %s and %s",
        innerNodes(),
        gains.length,
        leafCovers.length);
    for (float gain : gains) {
      Check.that(Float.isFinite(gain), "the gain of a split must be finite: %s", gain);
    }
    for (float cover : leafCovers) {
      Check.that(
          cover >= 0 && cover < Float.POSITIVE_INFINITY,
          "the cover of a leaf must be finite and 0 or more: %s",
          cover);
    }
    return new Tree(this, leafValues, groups, gains, leafCovers);
  }

  /**
   * This tree, where the category sets of nodes hold groups of codes.
   *
   * @param byNode the groups of each inner node; null where its set holds codes, or it has none
   */
  public Tree withCategoryGroups(@Nullable CategoryGroups[] byNode) {
    Check.that(
        byNode.length == innerNodes(),
        "a tree must have groups or none for each of %s inner nodes: %s",
        innerNodes(),
        byNode.length);
    boolean any = false;
    for (int node = 0; node < byNode.length; node++) {
      CategoryGroups ofNode = byNode[node];
      if (ofNode != null) {
        any = true;
        Check.that(
            categorical(node) && categorySet[node].length <= (ofNode.count() + 63) >> 6,
            "the category set of node %s must have a word for each 64 of its %s groups: %s",
            node,
            ofNode.count(),
            categorySet[node].length);
      }
    }
    return any ? new Tree(this, leafValues, byNode.clone(), gains, leafCovers) : this;
  }

  /** This tree with other leaf values, as many as before, of leaf 0 first; statistics stay. */
  public Tree withLeafValues(double[] values) {
    Check.that(
        values.length == leafValues.length,
        "there must be as many leaf values as before, %s: %s",
        leafValues.length,
        values.length);
    Tree tree = new Tree(this, values, groups, gains, leafCovers);
    tree.checkNodes();
    return tree;
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
    for (int k = 0; k < leafValues.length; k++) {
      Check.that(
          Double.isFinite(leafValues[k]),
          "value of leaf %s must be finite: %s",
          k / outputs,
          leafValues[k]);
    }
  }

  /** n nodes have 2n children, as many as are to be reached: enough that none is reached twice. */
  private void checkChildren() {
    int nodes = feature.length;
    boolean[] reached = new boolean[2 * nodes + 1]; // inner nodes, then leaves
    for (int node = 0; node < nodes; node++) {
      for (int child : new int[] {left[node], right[node]}) {
        Check.that(
            child < 0 ? child >= -leaves() : child > node && child < nodes,
            "a child of node %s must be a leaf from -%s to -1 or a node from %s to %s: %s",
            node,
            leaves(),
            node + 1,
            nodes - 1,
            child);
        int place = child < 0 ? nodes - 1 - child : child;
        Check.that(!reached[place], "child %s of node %s must have one parent only", child, node);
        reached[place] = true;
      }
    }
  }

  public int innerNodes() {
    return feature.length;
  }

  public int leaves() {
    return feature.length + 1;
  }

  /** The column of the feature that a node looks at. */
  public int feature(int node) {
    return feature[node];
  }

  /** The threshold of a numeric node; may be infinite, never NaN. */
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

  /** The groups that a categorical node's set holds; null if it holds codes. */
  public @Nullable CategoryGroups categoryGroups(int node) {
    return groups.length == 0 ? null : groups[node];
  }

  public boolean hasCategoryGroups() {
    return groups.length > 0;
  }

  /** How many words a node's set has; 0 for a numeric node. */
  public int categoryWords(int node) {
    return categorySet[node].length;
  }

  Columns columns() {
    return columns;
  }

  /** How many words the sets of all nodes have. */
  public int categoryWords() {
    return categoryWords;
  }

  /** The left child: a node, or the leaf {@code -1 - c} if negative. */
  public int left(int node) {
    return left[node];
  }

  /** The right child: a node, or the leaf {@code -1 - c} if negative. */
  public int right(int node) {
    return right[node];
  }

  /** The first raw score that leaf values add to. */
  public int output() {
    return output;
  }

  /** Values of a leaf. */
  public int outputs() {
    return outputs;
  }

  /** The first value of a leaf; finite. */
  public double leafValue(int leaf) {
    return leafValues[leaf * outputs];
  }

  /** The {@code k}th value of a leaf, which adds to raw score {@code output() + k}; finite. */
  public double leafValue(int leaf, int k) {
    return leafValues[leaf * outputs + k];
  }

  /** Whether gains and covers are known. */
  public boolean hasStatistics() {
    return leafCovers.length > 0;
  }

  /** What a node's split gained in training; of a tree with statistics. */
  public float gain(int node) {
    return gains[node];
  }

  /** The weight of the training rows in a leaf; of a tree with statistics. */
  public float leafCover(int leaf) {
    return leafCovers[leaf];
  }

  /** The leaf that a row of features ends in. */
  public int leafOf(double[] features) {
    int node = feature.length == 0 ? -1 : 0;
    while (node >= 0) {
      node = goesLeft(node, features[feature[node]]) ? left[node] : right[node];
    }
    return -1 - node;
  }

  /** Adds the values of the leaf of a row, times a weight, to its raw scores from {@code at} on. */
  public void addTo(double[] features, double weight, double[] target, int at) {
    int leaf = leafOf(features);
    for (int k = 0; k < outputs; k++) {
      target[at + output + k] += weight * leafValue(leaf, k);
    }
  }

  /** Whether a node sends a value of its feature to its left child. */
  public boolean goesLeft(int node, double value) {
    if (!categorical(node)) {
      return Double.isNaN(value) ? missingLeft[node] : value <= threshold[node];
    }
    int code = (int) value;
    if (code != value || code < 0) {
      return missingLeft[node];
    }
    CategoryGroups ofNode = categoryGroups(node);
    if (ofNode != null) {
      code = ofNode.of(code);
    }
    long[] set = categorySet[node];
    return code >= 0 && code >> 6 < set.length && (set[code >> 6] >>> code & 1) != 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tree that
        && Arrays.equals(feature, that.feature)
        && Arrays.equals(threshold, that.threshold)
        && Arrays.equals(missingLeft, that.missingLeft)
        && Arrays.deepEquals(categorySet, that.categorySet)
        && Arrays.equals(groups, that.groups)
        && Arrays.equals(left, that.left)
        && Arrays.equals(right, that.right)
        && Arrays.equals(leafValues, that.leafValues)
        && output == that.output
        && outputs == that.outputs
        && Arrays.equals(gains, that.gains)
        && Arrays.equals(leafCovers, that.leafCovers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(feature) * 31 * 31
        + Arrays.hashCode(threshold) * 31
        + Arrays.hashCode(leafValues);
  }

  @Override
  public String toString() {
    return "Tree[leaves=" + leaves() + "]";
  }
}
