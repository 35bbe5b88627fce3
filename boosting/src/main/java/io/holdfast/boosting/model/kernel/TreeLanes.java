package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * Trees side by side, 32 to a group, for {@link VectorLanes} to ask a node of each at once for one
 * row. Immutable; safe to share.
 */
final class TreeLanes implements RowTrees {
  /*
   * Leaves are numbered from left to right. Where a row is in a tree is told by the first leaf below
   * the node that it is at, which is the same for all nodes of a way down left: a row changes its
   * place only where it goes right, to the first leaf of the right subtree. So all nodes are asked in
   * turn, from the top; one that answers right moves the rows that are at its place, and those below
   * it on the left are then passed by, as their place is another. After the last node the place is the
   * row's leaf.
   *
   * Trees need neither a walk nor a common shape: a step is any node of each of 32 trees, a byte each
   * for column, bound, place and the place to the right.
   *
   * Values are added while the next group is asked, since each addition waits for the one before.
   *
   * Measured for 100 trees of 31 leaves, 10 levels deep on average, on a core with AVX2, before steps
   * went in pairs: 334 ns a row,
   * of which 90 are for its ranks; 390 if values are added after asking; 620 by masks of the leaves that
   * nodes rule out, eight leaves a vector, instead of places.
   */
  private static final int LANES = VectorLanes.LANES;

  /** Leaves of a tree at most: places are bytes. */
  private static final int MOST_LEAVES = 1 << Byte.SIZE;

  private static final int LEAF = MOST_LEAVES - 1;
  private static final int SECOND = 0x80; // the bit of a column of the second table

  private final RankLanes lanes;
  private final byte[] steps;
  private final int[] from; // of each group, and the end
  private final int leaves; // of a tree at most
  private final double[] values; // of tree t and leaf l at (t * leaves + l) * stride
  private final int stride;
  private final VectorLanes loops;
  private final int[] output;
  private final int[] outputs;

  /** Whether trees can be laid out: columns, ranks and leaves are few enough. */
  static boolean fits(Columns columns, List<RankedTree> trees) {
    return !trees.isEmpty()
        && RankLanes.fit(columns)
        && trees.stream().allMatch(tree -> tree.leaves() <= MOST_LEAVES);
  }

  /** How many steps trees take. */
  static int steps(List<RankedTree> trees) {
    int steps = 0;
    for (int group = 0; group * LANES < trees.size(); group++) {
      steps += steps(trees, group);
    }
    return steps;
  }

  private static int steps(List<RankedTree> trees, int group) {
    int first = group * LANES;
    return trees.subList(first, Math.min(first + LANES, trees.size())).stream()
        .mapToInt(RankedTree::innerNodes)
        .max()
        .orElse(0);
  }

  TreeLanes(RankLanes lanes, List<RankedTree> trees) {
    this.lanes = lanes;
    leaves = trees.stream().mapToInt(RankedTree::leaves).max().orElseThrow();
    int size = trees.size();
    output = trees.stream().mapToInt(RankedTree::output).toArray();
    outputs = trees.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    values = new double[Math.multiplyExact(size * leaves, stride)];
    from = new int[(size + LANES - 1) / LANES + 1];
    for (int group = 0; group + 1 < from.length; group++) {
      from[group + 1] = from[group] + steps(trees, group) * VectorLanes.STEP;
    }
    steps = new byte[from[from.length - 1]];
    for (int at = 0; at < steps.length; at += VectorLanes.STEP) {
      Arrays.fill(steps, at + LANES, at + 2 * LANES, Byte.MAX_VALUE); // never exceeded
    }
    for (int tree = 0; tree < size; tree++) {
      RankedTree source = trees.get(tree);
      int at = from[tree / LANES] + tree % LANES;
      add(source, tree, source.innerNodes() == 0 ? -1 : 0, 0, at);
    }
    loops = new VectorLanes(steps, values, leaves);
  }

  /**
   * Adds what is below a node, which comes before it.
   *
   * @param first the number of its first leaf
   * @param at where the first of its nodes goes
   * @return where the next node goes
   */
  private int add(RankedTree source, int tree, int node, int first, int at) {
    if (node < 0) {
      int count = source.outputs();
      int to = (tree * leaves + first) * stride;
      System.arraycopy(source.values(), (-1 - node) * count, values, to, count);
      return at;
    }
    int left = source.left()[node];
    int behind = add(source, tree, left, first, at + VectorLanes.STEP);
    // A tree has as many leaves as nodes, and one more.
    int middle = first + (behind - at) / VectorLanes.STEP;
    int column = source.column()[node];
    steps[at] = (byte) (lanes.lane(column) | (lanes.inSecond(column) ? SECOND : 0));
    steps[at + LANES] = RankLanes.narrowed(source.bound()[node]);
    steps[at + 2 * LANES] = (byte) first;
    steps[at + 3 * LANES] = (byte) middle;
    return add(source, tree, source.right()[node], middle, behind);
  }

  @Override
  public double add(double score, int first, int end, RowScratch scratch) {
    if (first >= end) {
      return score;
    }
    double sum = score;
    boolean two = scratch.twoTables;
    byte[] places = scratch.places;
    int tree = first;
    int group = first / LANES;
    ask(group, two, scratch);
    while (++group * LANES < end) {
      if (two) {
        sum = sum(sum, tree, group * LANES, places);
        ask(group, true, scratch);
      } else {
        int at = from[group];
        sum = loops.askAndAdd(scratch.bytes, at, from[group + 1], places, tree, group * LANES, sum);
      }
      tree = group * LANES;
    }
    return sum(sum, tree, end, places);
  }

  private double sum(double score, int first, int end, byte[] places) {
    double[] values = this.values;
    int leaves = this.leaves;
    double sum = score;
    for (int tree = first; tree < end; tree++) {
      sum += values[tree * leaves + (places[tree % LANES] & LEAF)];
    }
    return sum;
  }

  @Override
  public void addTo(double[] target, int first, int end, RowScratch scratch) {
    boolean two = scratch.twoTables;
    for (int tree = first; tree < end; tree++) {
      if (tree == first || tree % LANES == 0) {
        ask(tree / LANES, two, scratch);
      }
      int value = (tree * leaves + (scratch.places[tree % LANES] & LEAF)) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  /** Finds the leaves of a group's trees. */
  private void ask(int group, boolean two, RowScratch scratch) {
    if (two) {
      loops.askOfTwo(scratch.bytes, from[group], from[group + 1], scratch.places);
    } else {
      loops.ask(scratch.bytes, from[group], from[group + 1], scratch.places);
    }
  }

  @Override
  public long bytes() {
    return steps.length + 4L * (from.length + output.length + outputs.length) + 8L * values.length;
  }
}
