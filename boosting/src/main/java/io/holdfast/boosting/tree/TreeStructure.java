package io.holdfast.boosting.tree;

import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.split.Split;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The splits of a grown tree and the leaf of each training row: a tree without leaf values. */
public final class TreeStructure {
  private final int[] feature;
  private final double[] threshold;
  private final boolean[] missingLeft;
  private final long[][] categories;
  private final @Nullable CategoryGroups[] groups;
  private final int[] left;
  private final int[] right;
  private final double[] gains;
  private final double[] lower;
  private final double[] upper;
  private final int[] counts; // rows of each leaf
  private final int rows;
  private final int[] leafOf; // may be longer
  private int nodes;

  /** A tree without splits; {@code leafOf} is for the leaf of each of the first rows. */
  TreeStructure(int maxLeaves, int rows, int[] leafOf) {
    this.rows = rows;
    this.leafOf = leafOf;
    int capacity = maxLeaves - 1;
    feature = new int[capacity];
    threshold = new double[capacity];
    missingLeft = new boolean[capacity];
    categories = new long[capacity][];
    groups = new @Nullable CategoryGroups[capacity];
    left = new int[capacity];
    right = new int[capacity];
    gains = new double[capacity];
    lower = new double[maxLeaves];
    upper = new double[maxLeaves];
    counts = new int[maxLeaves];
  }

  public int leaves() {
    return nodes + 1;
  }

  /** The leaf of each training row, drawn or not; a copy. */
  public int[] leafOf() {
    return Arrays.copyOf(leafOf, rows);
  }

  public int rows() {
    return rows;
  }

  /** Writes the leaf of each training row, drawn or not. */
  public void copyLeafOf(int[] target) {
    System.arraycopy(leafOf, 0, target, 0, rows);
  }

  /** The array itself, for another tree when this one is no longer used. */
  int[] leafArray() {
    return leafOf;
  }

  /** What an inner node's split gains, the price of a leaf taken off (docs/math.md, "Splits"). */
  public double gain(int node) {
    return gains[node];
  }

  /** What a leaf's step, before the learning rate, must be at least for monotone columns; or −∞. */
  public double lowerBound(int leaf) {
    return lower[leaf];
  }

  /** What it must be at most; or ∞. */
  public double upperBound(int leaf) {
    return upper[leaf];
  }

  /** The sum of the weights of the rows in each leaf, drawn or not. */
  public double[] covers(Rows rows) {
    double[] covers = new double[leaves()];
    if (rows.unitWeights()) {
      Arrays.setAll(covers, leaf -> counts[leaf]);
      return covers;
    }
    for (int row = 0; row < this.rows; row++) {
      covers[leafOf[row]] += rows.weight(row);
    }
    return covers;
  }

  /** The tree with one value a leaf, for the only raw score; without statistics. */
  public Tree withLeafValues(double[] leafValues) {
    return withLeafValues(new Tree.Leaves(leafValues, 0, 1));
  }

  /**
   * The tree with these leaf values, gains and covers.
   *
   * @param leafValues those of leaf 0, then of leaf 1, and so on
   * @param output the first raw score that they add to
   * @param outputs values a leaf
   * @param covers of each leaf, as {@link #covers} gives them
   */
  public Tree withLeafValues(double[] leafValues, int output, int outputs, double[] covers) {
    return withLeafValues(new Tree.Leaves(leafValues, output, outputs))
        .withStatistics(toFloats(gains, nodes), toFloats(covers, covers.length));
  }

  private static float[] toFloats(double[] values, int count) {
    float[] floats = new float[count];
    for (int k = 0; k < count; k++) {
      floats[k] = (float) Math.min(values[k], Float.MAX_VALUE);
    }
    return floats;
  }

  private Tree withLeafValues(Tree.Leaves leafValues) {
    return new Tree(
            Arrays.copyOf(feature, nodes),
            Arrays.copyOf(threshold, nodes),
            Arrays.copyOf(missingLeft, nodes),
            Arrays.copyOf(categories, nodes),
            Arrays.copyOf(left, nodes),
            Arrays.copyOf(right, nodes),
            leafValues)
        .withCategoryGroups(Arrays.copyOf(groups, nodes));
  }

  /** Appends a node whose children are leaves; returns its number. */
  int add(Split split, @Nullable CategoryGroups columnGroups, int leftLeaf, int rightLeaf) {
    groups[nodes] = columnGroups;
    feature[nodes] = split.column();
    threshold[nodes] = split.threshold();
    missingLeft[nodes] = split.missingLeft();
    categories[nodes] = split.categories();
    gains[nodes] = split.gain();
    left[nodes] = -1 - leftLeaf;
    right[nodes] = -1 - rightLeaf;
    return nodes++;
  }

  /** Makes {@code child} the child of {@code parent} in the place of a leaf. */
  void replaceLeaf(int parent, int leaf, int child) {
    int[] side = left[parent] == -1 - leaf ? left : right;
    side[parent] = child;
  }

  void bound(int leaf, double least, double most) {
    lower[leaf] = least;
    upper[leaf] = most;
  }

  void assign(int leaf, int[] rows, int from, int to) {
    for (int k = from; k < to; k++) {
      leafOf[rows[k]] = leaf;
    }
    counts[leaf] += to - from;
  }
}
