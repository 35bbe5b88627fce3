package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * Trees of at most six levels as a subtree of three upon eight of three, for {@link VectorStacks}
 * to score single rows with. Immutable; safe to share.
 */
final class StackedTrees implements RowTrees {
  /*
   * All seven nodes of a subtree are asked at once, whether the row meets them or not, and their
   * answers, as a number, tell by a table where the row leaves it: below the first three levels that
   * is another subtree, below the next a leaf. So 14 nodes of 63 are asked, without a branch, and
   * a row reads a line of the cache for the nodes of a tree and one for its value.
   *
   * Subtrees are full: what is missing of them are nodes that send every row left.
   *
   * Measured for 100 trees on a core with AVX2: 3.7 ns a tree and row, as long as TreeLanes, which ask
   * all nodes, take for 47 nodes; trees of 30 nodes take 2.7 ns there, and the last few trees, up to 32,
   * as long as 32.
   */
  private static final int LEVELS = 3;
  private static final int TREES = VectorStacks.TREES;
  private static final int NODES = VectorStacks.NODES;
  private static final int EXITS = VectorStacks.EXITS;
  private static final int LEAVES = EXITS * EXITS;

  /** What a tree takes here, in steps of {@link TreeLanes}. */
  private static final double STEPS = 1.9;

  private final RankLanes lanes;
  private final byte[] tops; // of four trees: columns, then bounds
  private final byte[] subtrees; // columns, then bounds
  private final double[] values; // of tree t and leaf l at (t * LEAVES + l) * stride
  private final int stride;
  private final int[] output;
  private final int[] outputs;

  /** Whether trees can be laid out, and are scored faster than side by side. */
  static boolean pay(Columns columns, List<RankedTree> trees) {
    return RankLanes.fit(columns)
        && trees.stream().allMatch(tree -> tree.depth() <= 2 * LEVELS)
        && TreeLanes.steps(trees, VectorLanes.LANES) > STEPS * trees.size();
  }

  StackedTrees(RankLanes lanes, List<RankedTree> source) {
    this.lanes = lanes;
    int trees = source.size();
    output = source.stream().mapToInt(RankedTree::output).toArray();
    outputs = source.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    values = new double[Math.multiplyExact(trees * LEAVES, stride)];
    tops = new byte[(trees + TREES - 1) / TREES * VectorStacks.TOPS];
    for (int at = 0; at < tops.length; at += VectorStacks.TOPS) {
      Arrays.fill(tops, at + TREES * NODES, at + VectorStacks.TOPS, Byte.MAX_VALUE);
    }
    subtrees =
        new byte[trees * EXITS * VectorStacks.SUBTREE + NODES]; // bounds are read as 16 bytes
    for (int at = 0; at + VectorStacks.SUBTREE <= subtrees.length; at += VectorStacks.SUBTREE) {
      Arrays.fill(
          subtrees, at + NODES, at + VectorStacks.SUBTREE, Byte.MAX_VALUE); // never exceeded
    }
    for (int tree = 0; tree < trees; tree++) {
      RankedTree ranked = source.get(tree);
      add(ranked, tree, ranked.innerNodes() == 0 ? -1 : 0, 0, 0);
    }
  }

  /** Adds what is below a node, which is the {@code place}-th of its level. */
  private void add(RankedTree source, int tree, int node, int level, int place) {
    if (level == 2 * LEVELS) {
      int count = source.outputs();
      int to = (tree * LEAVES + place) * stride;
      System.arraycopy(source.values(), (-1 - node) * count, values, to, count);
    } else if (node < 0) {
      add(source, tree, node, level + 1, 2 * place);
    } else {
      put(source, tree, node, level, place);
      add(source, tree, source.left()[node], level + 1, 2 * place);
      add(source, tree, source.right()[node], level + 1, 2 * place + 1);
    }
  }

  private void put(RankedTree source, int tree, int node, int level, int place) {
    int column = source.column()[node];
    int lane = lanes.lane(column);
    boolean second = lanes.inSecond(column);
    byte bound = RankLanes.narrowed(source.bound()[node]);
    int own = level % LEVELS;
    int slot = (1 << own) - 1 + (place & ((1 << own) - 1));
    if (level < LEVELS) {
      int at = tree / TREES * VectorStacks.TOPS + tree % TREES * NODES + slot;
      tops[at] = (byte) (lane | (second ? VectorStacks.SECOND_OF_TOP : 0));
      tops[at + TREES * NODES] = bound;
    } else {
      int half = RankLanes.TABLE / 2;
      int at = (tree * EXITS + (place >> own)) * VectorStacks.SUBTREE + slot;
      subtrees[at] =
          (byte)
              (lane % half
                  | (lane >= half ? VectorStacks.UPPER_HALF : 0)
                  | (second ? VectorStacks.SECOND : 0));
      subtrees[at + NODES] = bound;
    }
  }

  @Override
  public double add(double score, int first, int end, RowScratch scratch) {
    boolean two = scratch.twoTables;
    int from = (first + TREES - 1) / TREES;
    int to = end / TREES;
    if (two || from >= to) {
      return addSome(score, first, end, two, scratch);
    }
    double sum = first < from * TREES ? addSome(score, first, from * TREES, false, scratch) : score;
    sum = VectorStacks.add(scratch.bytes, tops, subtrees, values, from, to, sum);
    return to * TREES < end ? addSome(sum, to * TREES, end, false, scratch) : sum;
  }

  private double addSome(double score, int first, int end, boolean two, RowScratch scratch) {
    int[] reached = scratch.reached;
    find(first, end, two, scratch);
    double sum = score;
    for (int tree = first; tree < end; tree++) {
      sum += values[reached[tree]];
    }
    return sum;
  }

  @Override
  public void addTo(double[] target, int first, int end, RowScratch scratch) {
    find(first, end, scratch.twoTables, scratch);
    int[] reached = scratch.reached;
    for (int tree = first; tree < end; tree++) {
      int value = reached[tree] * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  private void find(int first, int end, boolean two, RowScratch scratch) {
    if (two) {
      VectorStacks.findOfTwo(scratch.bytes, tops, subtrees, first, end, scratch.reached);
    } else {
      VectorStacks.find(scratch.bytes, tops, subtrees, first, end, scratch.reached);
    }
  }

  @Override
  public long bytes() {
    return tops.length
        + subtrees.length
        + 8L * values.length
        + 4L * (output.length + outputs.length);
  }
}
