package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;

/**
 * All nodes of a tree side by side, for {@link VectorNodes} to ask at once for one row. Immutable;
 * safe to share.
 */
final class NodeTable {
  /*
   * A node's column and bound stand in lane n of its tree. The answers, a bit a node, tell the leaf:
   *
   * - by path, up to 32 leaves of any depth: leaf l is the one whose path asks the nodes in asked[l]
   *   and finds right[l] of them going right;
   * - by level, up to 6 levels: nodes stand as a heap of 64 with its root at 1, what is below a leaf
   *   going left, and six steps walk down the bits. The leaf is heap place less 64.
   *
   * A lane without a node always goes left; an entry without a leaf is never found.
   */
  static final int NODES = 32;
  static final int COLUMNS = 2 * NODES;
  private static final int RUN = 64;
  private static final int LEVELS = 6;
  private static final int HEAP = 1 << LEVELS;

  final short[] column;
  final short[] bound;
  final int[] asked;
  final int[] right;
  final int[] start; // of each tree's lanes
  private final boolean byLevel;
  private final int leaves; // entries a tree
  private final int stride; // values of an entry
  private final double[] values; // of tree t and entry e at (t * leaves + e) * stride
  private final int[] output;
  private final int[] outputs;

  /** Whether trees can be laid out: columns, ranks, and leaves or levels are few enough. */
  static boolean fits(Columns columns, List<RankedTree> trees) {
    if (columns.count() > COLUMNS || trees.isEmpty()) {
      return false;
    }
    for (int k = 0; k < columns.count(); k++) {
      if (columns.highestRank(k) > Short.MAX_VALUE) {
        return false;
      }
    }
    return byPath(trees) || trees.stream().allMatch(tree -> tree.depth() <= LEVELS);
  }

  private static boolean byPath(List<RankedTree> trees) {
    return trees.stream().allMatch(tree -> tree.leaves() <= NODES);
  }

  NodeTable(List<RankedTree> trees) {
    byLevel = !byPath(trees);
    leaves = byLevel ? HEAP : NODES;
    int size = trees.size();
    column = new short[size * leaves];
    bound = new short[size * leaves];
    Arrays.fill(bound, Short.MAX_VALUE);
    asked = new int[byLevel ? 0 : size * leaves];
    right = new int[asked.length];
    Arrays.fill(right, -1); // of nothing asked: never found
    start = new int[size];
    output = new int[size];
    outputs = new int[size];
    stride = trees.stream().mapToInt(RankedTree::outputs).max().orElse(1);
    values = new double[Math.multiplyExact(size * leaves, stride)];
    for (int tree = 0; tree < size; tree++) {
      RankedTree source = trees.get(tree);
      start[tree] = tree * leaves;
      output[tree] = source.output();
      outputs[tree] = source.outputs();
      int root = source.innerNodes() == 0 ? -1 : 0;
      if (byLevel) {
        addHeap(tree, source, root, 1);
      } else {
        addPath(tree, source, root, 0, 0);
      }
    }
  }

  private void addPath(int tree, RankedTree source, int node, int asking, int going) {
    if (node < 0) {
      int leaf = -1 - node;
      asked[start[tree] + leaf] = asking;
      right[start[tree] + leaf] = going;
      copyValues(tree, source, leaf, leaf);
      return;
    }
    column[start[tree] + node] = (short) source.column()[node];
    bound[start[tree] + node] = (short) source.bound()[node];
    int bit = 1 << node;
    addPath(tree, source, source.left()[node], asking | bit, going);
    addPath(tree, source, source.right()[node], asking | bit, going | bit);
  }

  private void addHeap(int tree, RankedTree source, int node, int place) {
    if (place >= HEAP) {
      copyValues(tree, source, -1 - node, place - HEAP);
      return;
    }
    if (node < 0) {
      addHeap(tree, source, node, 2 * place); // its answer is left
      return;
    }
    column[start[tree] + place] = (short) source.column()[node];
    bound[start[tree] + place] = (short) source.bound()[node];
    addHeap(tree, source, source.left()[node], 2 * place);
    addHeap(tree, source, source.right()[node], 2 * place + 1);
  }

  private void copyValues(int tree, RankedTree source, int leaf, int entry) {
    int width = source.outputs();
    System.arraycopy(
        source.values(), leaf * width, values, (tree * leaves + entry) * stride, width);
  }

  /** The score after trees {@code [first, end)}, one value each, have added to {@code score}. */
  double add(double score, int first, int end, RowScratch scratch) {
    prepare(scratch);
    double sum = score;
    int[] reached = scratch.reached;
    for (int from = first; from < end; from += RUN) {
      int to = Math.min(from + RUN, end);
      ask(from, to, scratch);
      for (int tree = from; tree < to; tree++) {
        sum += values[tree * leaves + reached[tree]];
      }
    }
    return sum;
  }

  /** Adds the values of trees {@code [first, end)} to {@code target[0, raw scores)}. */
  void addTo(double[] target, int first, int end, RowScratch scratch) {
    prepare(scratch);
    ask(first, end, scratch);
    for (int tree = first; tree < end; tree++) {
      int value = (tree * leaves + scratch.reached[tree]) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  private static void prepare(RowScratch scratch) {
    for (int k = 0; k < COLUMNS; k++) {
      scratch.shorts[k] = (short) scratch.ranks[k];
    }
  }

  private void ask(int from, int to, RowScratch scratch) {
    if (byLevel) {
      VectorNodes.byLevel(scratch.shorts, this, from, to, scratch.reached);
    } else {
      VectorNodes.byPath(scratch.shorts, this, from, to, scratch.reached);
    }
  }

  /** What the arrays take, in bytes. */
  long bytes() {
    return 2L * (column.length + bound.length)
        + 4L * (asked.length + right.length + start.length + output.length + outputs.length)
        + 8L * values.length;
  }
}
