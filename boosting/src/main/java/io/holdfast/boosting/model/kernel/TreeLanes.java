package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * Trees side by side, as many to a group as a vector has bytes, for {@link LaneLoops} to ask a node
 * of each at once for one row. Immutable; safe to share.
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
   * Trees need neither a walk nor a common shape: a step is any node of each of a group, a byte each
   * for column, bound, place and the place to the right.
   *
   * Values are added while the next group is asked, since each addition waits for the one before.
   *
   * Measured for 100 trees of 31 leaves, 10 levels deep on average, on a core with AVX2, before steps
   * went in pairs: 334 ns a row,
   * of which 90 are for its ranks; 390 if values are added after asking; 620 by masks of the leaves that
   * nodes rule out, eight leaves a vector, instead of places.
   */
  /** Leaves of a tree at most: places are bytes. */
  private static final int MOST_LEAVES = 1 << Byte.SIZE;

  private static final int LEAF = MOST_LEAVES - 1;

  private final RankLanes lanes;
  private final int group; // trees of one
  private final int step; // bytes of one
  private final byte[] steps;
  private final int[] from; // of each group, and the end
  private final int leaves; // of a tree at most
  private final double[] values; // of tree t and leaf l at (t * leaves + l) * stride
  private final int stride;
  private final LaneLoops loops;
  private final int[] output;
  private final int[] outputs;

  /** Whether trees can be laid out: columns, ranks and leaves are few enough. */
  static boolean fits(Columns columns, List<RankedTree> trees) {
    return !trees.isEmpty()
        && RankLanes.fit(columns)
        && trees.stream().allMatch(tree -> tree.leaves() <= MOST_LEAVES);
  }

  /** How many steps trees take in groups of {@code lanes}. */
  static int steps(List<RankedTree> trees, int lanes) {
    int steps = 0;
    for (int group = 0; group * lanes < trees.size(); group++) {
      steps += steps(trees, group, lanes);
    }
    return steps;
  }

  private static int steps(List<RankedTree> trees, int group, int lanes) {
    int first = group * lanes;
    return trees.subList(first, Math.min(first + lanes, trees.size())).stream()
        .mapToInt(RankedTree::innerNodes)
        .max()
        .orElse(0);
  }

  /**
   * Lays trees out.
   *
   * @param wide for vectors of 512 bits, not 256
   */
  TreeLanes(RankLanes lanes, List<RankedTree> trees, boolean wide) {
    this.lanes = lanes;
    group = wide ? VectorWideLanes.LANES : VectorLanes.LANES;
    leaves = trees.stream().mapToInt(RankedTree::leaves).max().orElseThrow();
    int size = trees.size();
    output = trees.stream().mapToInt(RankedTree::output).toArray();
    outputs = trees.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    values = new double[Math.multiplyExact(size * leaves, stride)];
    from = new int[(size + group - 1) / group + 1];
    step = (wide ? VectorWideLanes.PARTS : VectorLanes.PARTS) * group;
    for (int k = 0; k + 1 < from.length; k++) {
      from[k + 1] = from[k] + steps(trees, k, group) * step;
    }
    steps = new byte[from[from.length - 1]];
    for (int at = 0; at < steps.length; at += step) {
      Arrays.fill(steps, at + group, at + 2 * group, Byte.MAX_VALUE); // never exceeded
    }
    for (int tree = 0; tree < size; tree++) {
      RankedTree source = trees.get(tree);
      int at = from[tree / group] + tree % group;
      int root = source.innerNodes() == 0 ? -1 : 0;
      if (wide) {
        addByLeaf(source, tree, root, 0, at);
      } else {
        add(source, tree, root, 0, at);
      }
    }
    loops =
        wide ? new VectorWideLanes(steps, values, leaves) : new VectorLanes(steps, values, leaves);
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
      copyValues(source, tree, node, first);
      return at;
    }
    int behind = add(source, tree, source.left()[node], first, at + step);
    // A tree has as many leaves as nodes, and one more.
    int middle = first + (behind - at) / step;
    put(source, node, first, at);
    steps[at + 3 * group] = (byte) middle;
    return add(source, tree, source.right()[node], middle, behind);
  }

  /**
   * Adds what is below a node, whose step is that of the last leaf to its left.
   *
   * @param first the number of its first leaf
   * @param at where the step of the tree's first leaf goes
   * @return the number of the first leaf behind
   */
  private int addByLeaf(RankedTree source, int tree, int node, int first, int at) {
    if (node < 0) {
      copyValues(source, tree, node, first);
      return first + 1;
    }
    int middle = addByLeaf(source, tree, source.left()[node], first, at);
    put(source, node, first, at + (middle - 1) * step);
    return addByLeaf(source, tree, source.right()[node], middle, at);
  }

  private void copyValues(RankedTree source, int tree, int node, int leaf) {
    int count = source.outputs();
    int to = (tree * leaves + leaf) * stride;
    System.arraycopy(source.values(), (-1 - node) * count, values, to, count);
  }

  private void put(RankedTree source, int node, int first, int at) {
    int column = source.column()[node];
    steps[at] = (byte) (lanes.lane(column) + (lanes.inSecond(column) ? RankLanes.TABLE : 0));
    steps[at + group] = RankLanes.narrowed(source.bound()[node]);
    steps[at + 2 * group] = (byte) first;
  }

  @Override
  public double add(double score, int first, int end, RowScratch scratch) {
    if (first >= end) {
      return score;
    }
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

  @Override
  public void addTo(double[] target, int first, int end, RowScratch scratch) {
    for (int tree = first; tree < end; tree++) {
      if (tree == first || tree % group == 0) {
        int k = tree / group;
        loops.ask(scratch, k * group, from[k], from[k + 1]);
      }
      int value = (tree * leaves + (scratch.places[tree % group] & LEAF)) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  @Override
  public long bytes() {
    return steps.length + 4L * (from.length + output.length + outputs.length) + 8L * values.length;
  }
}
