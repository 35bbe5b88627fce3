package io.holdfast.boosting.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Trees in arrays of nodes. Immutable; safe to share. */
final class FlatSegment {
  /*
   * A walk down one tree waits at each node for a branch that cannot be guessed. Here all trees take
   * a step each before any takes the next, and no step branches: a node's children are next to each
   * other, and the sign of threshold − value is the number of the child. What is at a leaf stays
   * there, as its column's value is −∞. Trees are in the order of their depth, so that those that
   * may still be above their leaves are the first ones.
   *
   * A categorical node's set stands in the last 52 bits of its threshold, a bit for each category
   * that goes right, under an exponent that keeps it a number, and its column's value is 0: the
   * difference is the threshold itself, of which the row's category picks the bit. Bit 62 is that of
   * all higher categories.
   *
   * Rows with missing values have a loop of their own, where a column's mask chooses between that bit
   * and the node's default.
   */
  static final int NUMERIC = 1; // kinds of columns
  static final int CATEGORICAL = 2;
  static final int CATEGORIES = 52;
  static final int HIGHER = 62;
  static final int SIGN = 63;
  private static final long TWO = Double.doubleToRawLongBits(2); // bit 62 alone
  private static final long SETS = (1L << CATEGORIES) - 1;
  private static final int COLUMN_BITS = 10;
  private static final int COLUMNS = (1 << COLUMN_BITS) - 1; // at most; and that of leaves
  private static final int MOST_NODES = 1 << (Integer.SIZE - COLUMN_BITS - 1);
  private static final int DEEPEST = 64; // a row goes as deep as the deepest leaf is

  private final int[] nodes; // first child · 2^COLUMN_BITS + column
  private final double[] thresholds; // of a leaf its value, or where its values begin
  private final byte[] defaults; // the number of the child to which a missing value goes
  private final double[] leafValues; // of leaves with several
  private final int[] deeper; // by level: how many trees have nodes below it
  private final int[] roots; // of trees in the order in which they are added
  private final int[] outputs; // of each: the first raw score
  private final int[] sizes; // of each: values of a leaf
  private final int[] kinds; // of columns
  private boolean numeric = true; // no node looks at a category
  private int nextNode;
  private int nextValue;

  private FlatSegment(List<Tree> trees, int width, int size, int most) {
    int several = 0;
    for (Tree tree : trees) {
      several += tree.outputs() == 1 ? 0 : tree.leaves() * tree.outputs();
    }
    nodes = new int[size];
    thresholds = new double[size];
    defaults = new byte[size];
    leafValues = new double[several];
    roots = new int[trees.size()];
    outputs = new int[trees.size()];
    sizes = new int[trees.size()];
    kinds = new int[width];
    deeper = placeRoots(trees, new int[most]);
    nextNode = trees.size();
  }

  /** The trees of a model of so many features, or null if they are beyond what nodes can hold. */
  static @Nullable FlatSegment of(List<Tree> trees, int width) {
    long size = 0;
    int most = 0;
    for (Tree tree : trees) {
      size += tree.innerNodes() + tree.leaves();
      most = Math.max(most, tree.leaves());
    }
    if (width > COLUMNS || size > MOST_NODES) {
      return null;
    }
    var segment = new FlatSegment(trees, width, (int) size, most);
    if (segment.deeper.length > DEEPEST) {
      return null;
    }
    int[] places = new int[most];
    for (int tree = 0; tree < trees.size(); tree++) {
      segment.outputs[tree] = trees.get(tree).output();
      segment.sizes[tree] = trees.get(tree).outputs();
      if (!segment.place(trees.get(tree), width, segment.roots[tree], places)) {
        return null;
      }
    }
    return segment;
  }

  /** The deepest first: a tree's root is behind those of all that are deeper. */
  private int[] placeRoots(List<Tree> trees, int[] scratch) {
    int[] depths = new int[trees.size()];
    int deepest = 0;
    for (int tree = 0; tree < depths.length; tree++) {
      depths[tree] = depth(trees.get(tree), scratch);
      deepest = Math.max(deepest, depths[tree]);
    }
    int[] below = new int[deepest];
    int[] free = new int[deepest + 1];
    for (int depth : depths) {
      for (int level = 0; level < depth; level++) {
        below[level]++;
        free[level]++;
      }
    }
    for (int tree = 0; tree < depths.length; tree++) {
      roots[tree] = free[depths[tree]]++;
    }
    return below;
  }

  private static int depth(Tree tree, int[] depths) {
    int deepest = 0;
    depths[0] = 0;
    for (int node = 0; node < tree.innerNodes(); node++) {
      int below = depths[node] + 1;
      deepest = Math.max(deepest, below);
      int left = tree.left(node);
      int right = tree.right(node);
      if (left >= 0) {
        depths[left] = below;
      }
      if (right >= 0) {
        depths[right] = below;
      }
    }
    return deepest;
  }

  private boolean place(Tree tree, int width, int root, int[] places) {
    places[0] = root;
    if (tree.innerNodes() == 0) {
      placeLeaf(tree, 0, root, width);
    }
    for (int node = 0; node < tree.innerNodes(); node++) {
      int pair = nextNode;
      nextNode += 2;
      int column = tree.feature(node);
      if (column >= width || !placeTest(tree, node, column, places[node])) {
        return false;
      }
      nodes[places[node]] = pair << COLUMN_BITS | column;
      defaults[places[node]] = (byte) (tree.missingLeft(node) ? 0 : 1);
      placeChild(tree, tree.left(node), pair, width, places);
      placeChild(tree, tree.right(node), pair + 1, width, places);
    }
    return true;
  }

  private void placeChild(Tree tree, int child, int place, int width, int[] places) {
    if (child < 0) {
      placeLeaf(tree, -1 - child, place, width);
    } else {
      places[child] = place;
    }
  }

  private boolean placeTest(Tree tree, int node, int column, int place) {
    int words = tree.categoryWords(node);
    if (words == 0) {
      thresholds[place] = tree.threshold(node) + 0.0; // of −0, 0: equal values go left
      kinds[column] |= NUMERIC;
    } else {
      long set = tree.categorySet(node)[0];
      thresholds[place] = Double.longBitsToDouble(TWO | (~set & SETS));
      kinds[column] |= CATEGORICAL;
      numeric = false;
      if (words > 1 || (set & ~SETS) != 0 || tree.categoryGroups(node) != null) {
        return false;
      }
    }
    return kinds[column] != (NUMERIC | CATEGORICAL);
  }

  private void placeLeaf(Tree tree, int leaf, int place, int width) {
    nodes[place] = place << COLUMN_BITS | width;
    if (tree.outputs() == 1) {
      thresholds[place] = tree.leafValue(leaf);
      return;
    }
    thresholds[place] = nextValue;
    for (int k = 0; k < tree.outputs(); k++) {
      leafValues[nextValue++] = tree.leafValue(leaf, k);
    }
  }

  /** Adds what nodes take columns for; returns whether it is the same as what is there. */
  boolean addKinds(int[] target) {
    for (int column = 0; column < kinds.length; column++) {
      if ((target[column] | kinds[column]) == (NUMERIC | CATEGORICAL)) {
        return false;
      }
    }
    for (int column = 0; column < kinds.length; column++) {
      target[column] |= kinds[column];
    }
    return true;
  }

  /**
   * Adds what the trees say of a row, times a weight, to its raw scores from {@code at} on.
   *
   * @param whole whether it has no missing values
   */
  void add(FlatRow row, boolean whole, double decay, double[] target, int at) {
    if (row.reached.length < roots.length) {
      row.reached = new int[roots.length];
    }
    for (int tree = 0; tree < roots.length; tree++) {
      row.reached[tree] = tree;
    }
    if (!whole) {
      walk(row.values, row.bits, row.missing, row.reached);
    } else if (numeric) {
      walk(row.values, row.reached);
    } else {
      walk(row.values, row.bits, row.reached);
    }
    for (int tree = 0; tree < roots.length; tree++) {
      double value = thresholds[row.reached[roots[tree]]];
      if (sizes[tree] == 1) {
        target[at + outputs[tree]] += decay * value;
      } else {
        for (int k = 0; k < sizes[tree]; k++) {
          target[at + outputs[tree] + k] += decay * leafValues[(int) value + k];
        }
      }
    }
  }

  private void walk(double[] values, int[] reached) {
    for (int trees : deeper) {
      for (int tree = 0; tree < trees; tree++) {
        int node = reached[tree];
        int cell = nodes[node];
        long difference = Double.doubleToRawLongBits(thresholds[node] - values[cell & COLUMNS]);
        reached[tree] = (cell >>> COLUMN_BITS) + (int) (difference >>> SIGN);
      }
    }
  }

  private void walk(double[] values, int[] bits, int[] reached) {
    for (int trees : deeper) {
      for (int tree = 0; tree < trees; tree++) {
        int node = reached[tree];
        int cell = nodes[node];
        int column = cell & COLUMNS;
        long difference = Double.doubleToRawLongBits(thresholds[node] - values[column]);
        reached[tree] = (cell >>> COLUMN_BITS) + ((int) (difference >>> bits[column]) & 1);
      }
    }
  }

  private void walk(double[] values, int[] bits, int[] missing, int[] reached) {
    for (int trees : deeper) {
      for (int tree = 0; tree < trees; tree++) {
        int node = reached[tree];
        int cell = nodes[node];
        int column = cell & COLUMNS;
        long difference = Double.doubleToRawLongBits(thresholds[node] - values[column]);
        int child = (int) (difference >>> bits[column]) & 1;
        int instead = (child ^ defaults[node]) & missing[column];
        reached[tree] = (cell >>> COLUMN_BITS) + (child ^ instead);
      }
    }
  }

  /** What it takes beside the trees, in bytes. */
  long bytes() {
    long ints = (long) nodes.length + deeper.length + kinds.length + 3L * roots.length;
    long doubles = (long) thresholds.length + leafValues.length;
    return defaults.length + Integer.BYTES * ints + Double.BYTES * doubles;
  }
}
