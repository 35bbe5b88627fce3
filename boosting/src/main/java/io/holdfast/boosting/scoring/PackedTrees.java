package io.holdfast.boosting.scoring;

import java.util.Arrays;
import java.util.List;

/**
 * All trees' nodes in eight bytes each, walked without a branch, twelve trees at a time. Immutable;
 * safe to share.
 */
final class PackedTrees {
  /*
   * A node, from the high bits:
   *
   *   left child 24 | 2^24 - 1 - bound 24 | column 16
   *
   * A right child stands behind its left sibling. A step adds the rank to the middle field, which is
   * carried into the left child if the rank exceeds the bound. A leaf is its own left child, and no
   * rank exceeds its bound: a walk may go on below it, so all trees of a group take as many steps as
   * the deepest, and twelve independent walks hide each other's latency.
   *
   * Nodes and ranks are as many as a power of 2 and masked, so that the compiler checks no bounds.
   *
   * Groups are of trees of like depth, within runs of RUN trees. The leaves of a run are noted by tree
   * and added in the order of trees, while the next run's walks already begin.
   */
  private static final int GROUP = 12;
  private static final int RUN = 240; // a multiple of GROUP
  private static final int CHILD_SHIFT = 40;
  private static final int BOUND_SHIFT = 16;
  private static final int MOST_COLUMNS = 1 << 16;
  private static final int MOST_NODES = 1 << 24;
  private static final long NO_BOUND = (1L << 24) - 1; // no rank exceeds it

  private final Columns columns;
  private final int trees;
  private final long[] nodes;
  private final double[] values; // of the leaf at node n at [n * stride, n * stride + outputs)
  private final int stride;
  private final int[] output; // of each tree
  private final int[] outputs; // of each tree
  private final int[] roots; // by slot of a group; 0 for none
  private final int[] treeOf; // by slot; the number after the last tree for none
  private final int[] depths; // of each group

  static boolean fits(int columns, List<RankedTree> trees) {
    long nodes = 1;
    int highest = 0;
    for (RankedTree tree : trees) {
      nodes += tree.innerNodes() + tree.leaves();
      for (int bound : tree.bound()) {
        highest = Math.max(highest, bound);
      }
    }
    return columns < MOST_COLUMNS && nodes <= MOST_NODES && highest < NO_BOUND;
  }

  PackedTrees(Columns columns, List<RankedTree> source) {
    this.columns = columns;
    trees = source.size();
    int size = 1 + source.stream().mapToInt(tree -> tree.innerNodes() + tree.leaves()).sum();
    output = source.stream().mapToInt(RankedTree::output).toArray();
    outputs = source.stream().mapToInt(RankedTree::outputs).toArray();
    stride = Arrays.stream(outputs).max().orElse(1);
    nodes = new long[Integer.highestOneBit(2 * size - 1)];
    values = new double[Math.multiplyExact(size, stride)];
    int[] rootOf = new int[trees];
    nodes[0] = leaf(0);
    int node = 1;
    for (int tree = 0; tree < trees; tree++) {
      rootOf[tree] = node;
      node = add(source.get(tree), node);
    }
    int slots = 0;
    for (int from = 0; from < trees; from += RUN) {
      slots += roundUp(Math.min(RUN, trees - from));
    }
    roots = new int[slots];
    treeOf = new int[slots];
    depths = new int[slots / GROUP];
    group(source, rootOf);
  }

  private static int roundUp(int trees) {
    return (trees + GROUP - 1) / GROUP * GROUP;
  }

  private static long leaf(int node) {
    return node(node, NO_BOUND, 0);
  }

  private static long node(int left, long bound, int column) {
    return (long) left << CHILD_SHIFT | (NO_BOUND - bound) << BOUND_SHIFT | column;
  }

  /** Lays a tree out level by level from {@code root} on; returns where the next may begin. */
  private int add(RankedTree tree, int root) {
    int[] queue = new int[tree.innerNodes() + tree.leaves()]; // the tree's numbers, by place
    int queued = 1;
    queue[0] = tree.innerNodes() == 0 ? -1 : 0;
    for (int place = 0; place < queued; place++) {
      int from = queue[place];
      int node = root + place;
      if (from < 0) {
        nodes[node] = leaf(node);
        System.arraycopy(
            tree.values(), (-1 - from) * tree.outputs(), values, node * stride, tree.outputs());
        continue;
      }
      nodes[node] = node(root + queued, tree.bound()[from], tree.column()[from]);
      queue[queued++] = tree.left()[from];
      queue[queued++] = tree.right()[from];
    }
    return root + queued;
  }

  private void group(List<RankedTree> source, int[] rootOf) {
    int slot = 0;
    for (int from = 0; from < trees; from += RUN) {
      int to = Math.min(from + RUN, trees);
      long[] order = new long[to - from];
      for (int tree = from; tree < to; tree++) {
        order[tree - from] = (long) source.get(tree).depth() << 32 | tree;
      }
      Arrays.sort(order);
      int end = slot + roundUp(to - from);
      for (int k = 0; slot < end; k++, slot++) {
        int tree = k < order.length ? (int) order[k] : trees;
        treeOf[slot] = tree;
        roots[slot] = tree < trees ? rootOf[tree] : 0;
        int depth = tree < trees ? source.get(tree).depth() : 0;
        depths[slot / GROUP] = Math.max(depths[slot / GROUP], depth);
      }
    }
  }

  /** The score after trees {@code [first, end)}, one value each, have added to {@code score}. */
  double add(double[] features, double score, int first, int end, RowScratch scratch) {
    columns.rank(features, scratch);
    long[] ranks = scratch.shiftedRanks(BOUND_SHIFT);
    int[] reached = scratch.reached;
    double sum = score;
    for (int from = first / RUN * RUN; from < end; from += RUN) {
      walk(from, ranks, reached);
      int to = Math.min(from + RUN, end);
      for (int tree = Math.max(from, first); tree < to; tree++) {
        sum += values[reached[tree]];
      }
    }
    return sum;
  }

  /** Adds the values of trees {@code [first, end)} to {@code target[0, raw scores)}. */
  void addTo(double[] features, double[] target, int first, int end, RowScratch scratch) {
    columns.rank(features, scratch);
    long[] ranks = scratch.shiftedRanks(BOUND_SHIFT);
    int[] reached = scratch.reached;
    for (int from = first / RUN * RUN; from < end; from += RUN) {
      walk(from, ranks, reached);
      int to = Math.min(from + RUN, end);
      for (int tree = Math.max(from, first); tree < to; tree++) {
        int value = reached[tree] * stride;
        int at = output[tree];
        for (int k = 0; k < outputs[tree]; k++) {
          target[at + k] += values[value + k];
        }
      }
    }
  }

  /** Notes the leaf that each tree of a run ends in; all runs before it have RUN slots. */
  private void walk(int run, long[] ranks, int[] reached) {
    int end = run + roundUp(Math.min(RUN, trees - run));
    for (int at = run; at < end; at += GROUP) {
      walkGroup(at, depths[at / GROUP], ranks, reached);
    }
  }

  private void walkGroup(int at, int depth, long[] ranks, int[] reached) {
    long[] nodes = this.nodes;
    int[] roots = this.roots;
    int[] treeOf = this.treeOf;
    int a = roots[at];
    int b = roots[at + 1];
    int c = roots[at + 2];
    int d = roots[at + 3];
    int e = roots[at + 4];
    int f = roots[at + 5];
    int g = roots[at + 6];
    int h = roots[at + 7];
    int i = roots[at + 8];
    int j = roots[at + 9];
    int k = roots[at + 10];
    int l = roots[at + 11];
    for (int level = 0; level < depth; level++) {
      a = step(nodes, a, ranks);
      b = step(nodes, b, ranks);
      c = step(nodes, c, ranks);
      d = step(nodes, d, ranks);
      e = step(nodes, e, ranks);
      f = step(nodes, f, ranks);
      g = step(nodes, g, ranks);
      h = step(nodes, h, ranks);
      i = step(nodes, i, ranks);
      j = step(nodes, j, ranks);
      k = step(nodes, k, ranks);
      l = step(nodes, l, ranks);
    }
    int last = nodes.length - 1;
    reached[treeOf[at]] = a & last;
    reached[treeOf[at + 1]] = b & last;
    reached[treeOf[at + 2]] = c & last;
    reached[treeOf[at + 3]] = d & last;
    reached[treeOf[at + 4]] = e & last;
    reached[treeOf[at + 5]] = f & last;
    reached[treeOf[at + 6]] = g & last;
    reached[treeOf[at + 7]] = h & last;
    reached[treeOf[at + 8]] = i & last;
    reached[treeOf[at + 9]] = j & last;
    reached[treeOf[at + 10]] = k & last;
    reached[treeOf[at + 11]] = l & last;
  }

  private static int step(long[] nodes, int at, long[] ranks) {
    long node = nodes[at & (nodes.length - 1)];
    return (int) ((node + ranks[(int) node & (ranks.length - 1)]) >>> CHILD_SHIFT);
  }

  long bytes() {
    return 8L * (nodes.length + values.length)
        + 4L * (output.length + outputs.length + roots.length + treeOf.length + depths.length);
  }
}
