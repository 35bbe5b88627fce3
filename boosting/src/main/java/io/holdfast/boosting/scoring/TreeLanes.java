package io.holdfast.boosting.scoring;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Trees side by side, as many to a group as a vector has bytes, for {@link VectorLanes}: the layout
 * of single rows by vectors. Immutable; safe to share.
 */
final class TreeLanes {
  /*
   * Leaves are numbered from left to right. The place of a row in a tree is the first leaf below the
   * node that it is at: it changes only where the row goes right, to the first leaf of the right
   * subtree. So all nodes are asked in turn, without a walk or a common shape: one that answers right
   * moves the rows that are at its first leaf or behind. After the last node the place is the row's
   * leaf.
   *
   * A step is a node of each tree of a group: a byte each for column, bound and place. A row's ranks
   * are bytes in two tables of 32 columns.
   */
  /** Columns of a table. */
  static final int TABLE = 32;

  /** Columns at most. */
  static final int COLUMNS = 2 * TABLE;

  /** Leaves of a tree at most: places are bytes. */
  private static final int MOST_LEAVES = 1 << Byte.SIZE;

  private static final int MIDDLE = 128; // of ranks: signed bytes have their order
  private static final int HIGHEST_RANK = 255;

  private final Columns columns;
  private final int pairs; // features with a column in both tables; 0 if columns simply follow
  private final boolean inOneTable; // if a row misses nothing
  private final int group; // trees of a group
  private final int step; // bytes of a step
  private final byte[] steps;
  private final int[] from; // of each group, and the end
  private final int leaves; // of a tree at most
  private final double[] values; // of tree t and leaf l at (t * leaves + l) * stride
  private final int stride;
  private final VectorLanes loops;
  private final int[] output;
  private final int[] outputs;

  static boolean fits(Columns columns, List<RankedTree> trees) {
    return !trees.isEmpty()
        && columns.count <= COLUMNS
        && IntStream.range(0, columns.count).allMatch(k -> columns.highestRank[k] <= HIGHEST_RANK)
        && trees.stream().allMatch(tree -> tree.leaves() <= MOST_LEAVES);
  }

  private static int steps(List<RankedTree> trees, int first, int group) {
    return trees.subList(first, Math.min(first + group, trees.size())).stream()
        .mapToInt(RankedTree::innerNodes)
        .max()
        .orElse(0);
  }

  TreeLanes(Columns columns, List<RankedTree> trees) {
    this.columns = columns;
    // The two columns of a feature have one lane of the two tables: a row without missing values
    // needs the first only.
    pairs = columns.count - columns.pairs <= TABLE ? columns.pairs : 0;
    inOneTable = pairs > 0 || columns.count <= TABLE;
    group = VectorLanes.LANES;
    step = VectorLanes.PARTS * group;
    leaves = trees.stream().mapToInt(RankedTree::leaves).max().orElseThrow();
    int size = trees.size();
    output = trees.stream().mapToInt(RankedTree::output).toArray();
    outputs = trees.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    values = new double[Math.multiplyExact(size * leaves, stride)];
    from = new int[(size + group - 1) / group + 1];
    for (int k = 0; k + 1 < from.length; k++) {
      from[k + 1] = from[k] + steps(trees, k * group, group) * step;
    }
    steps = new byte[from[from.length - 1]];
    for (int at = 0; at < steps.length; at += step) {
      Arrays.fill(steps, at + group, at + 2 * group, Byte.MAX_VALUE); // never exceeded
    }
    for (int tree = 0; tree < size; tree++) {
      RankedTree source = trees.get(tree);
      int root = source.innerNodes() == 0 ? -1 : 0;
      add(source, tree, root, 0, from[tree / group] + tree % group);
    }
    loops = new VectorLanes(steps, values, leaves);
  }

  /**
   * Adds what is below a node of a tree, whose first leaf has its step at {@code at}. The node's
   * step is that of the last leaf to its left. Takes its first leaf, and returns the first leaf
   * behind.
   */
  private int add(RankedTree source, int tree, int node, int first, int at) {
    if (node < 0) {
      int count = source.outputs();
      int to = (tree * leaves + first) * stride;
      System.arraycopy(source.values(), (-1 - node) * count, values, to, count);
      return first + 1;
    }
    int middle = add(source, tree, source.left()[node], first, at);
    int own = at + (middle - 1) * step;
    steps[own] = (byte) lane(source.column()[node]);
    steps[own + group] = (byte) (source.bound()[node] - MIDDLE);
    steps[own + 2 * group] = (byte) (first + Byte.MIN_VALUE);
    return add(source, tree, source.right()[node], middle, at);
  }

  /** Where a column's rank is in the two tables. */
  private int lane(int column) {
    if (pairs == 0 || column < pairs) {
      return column;
    }
    return column < 2 * pairs ? TABLE + column - pairs : column - pairs;
  }

  /** Writes a row's ranks to {@code scratch.bytes}, and whether the second table is needed. */
  private void rank(double[] features, RowScratch scratch) {
    // Bytes where possible: to read 32 at once right after writing ints would stall.
    if (inOneTable && columns.rankInBytes(features, -MIDDLE, scratch)) {
      scratch.twoTables = false;
      return;
    }
    columns.rank(features, scratch);
    int[] ranks = scratch.ranks;
    byte[] bytes = scratch.bytes;
    int count = columns.count;
    if (pairs == 0) {
      narrow(ranks, 0, count, bytes, 0);
      scratch.twoTables = count > TABLE;
      return;
    }
    narrow(ranks, 0, pairs, bytes, 0);
    narrow(ranks, pairs, pairs, bytes, TABLE);
    narrow(ranks, 2 * pairs, count - 2 * pairs, bytes, pairs);
    scratch.twoTables = !Arrays.equals(bytes, 0, pairs, bytes, TABLE, TABLE + pairs);
  }

  private static void narrow(int[] ranks, int from, int count, byte[] bytes, int to) {
    for (int k = 0; k < count; k++) {
      bytes[to + k] = (byte) (ranks[from + k] - MIDDLE);
    }
  }

  /** The score after trees {@code [first, end)}, one value each, have added to {@code score}. */
  double add(double[] features, double score, int first, int end, RowScratch scratch) {
    if (first >= end) {
      return score;
    }
    rank(features, scratch);
    double sum = score;
    int tree = first;
    int k = first / group;
    loops.ask(scratch, k * group, from[k], from[k + 1]);
    while (++k * group < end) {
      sum = loops.askAndAdd(scratch, from[k], from[k + 1], tree, k * group, sum);
      tree = k * group;
    }
    return loops.add(scratch, tree, end, sum);
  }

  /** Adds the values of trees {@code [first, end)} to {@code target[0, raw scores)}. */
  void addTo(double[] features, double[] target, int first, int end, RowScratch scratch) {
    rank(features, scratch);
    for (int tree = first; tree < end; tree++) {
      if (tree == first || tree % group == 0) {
        int k = tree / group;
        loops.ask(scratch, k * group, from[k], from[k + 1]);
      }
      int leaf = scratch.places[tree % group] - Byte.MIN_VALUE;
      int value = (tree * leaves + leaf) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  long bytes() {
    return steps.length + 4L * (from.length + output.length + outputs.length) + 8L * values.length;
  }
}
