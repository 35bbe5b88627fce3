package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All nodes of a tree side by side, for {@link VectorNodes} to ask at once for one row. Immutable;
 * safe to share.
 */
final class NodeTable {
  /*
   * A node's column and bound stand in lane n of its tree, in bytes if no rank exceeds 255 (both less
   * 128, so that signed bytes have the order), else in shorts. The answers, a bit a node and 32 nodes a
   * word, tell the leaf:
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
  private static final int MIDDLE = 128;
  private static final int HIGHEST_BYTE = 255;
  private static final int LEVELS = 6;
  private static final int HEAP = 1 << LEVELS;

  final int[] asked;
  final int[] right;
  final double[] values; // of tree t and entry e at (t * leaves + e) * stride
  private final boolean inBytes;
  private final byte[] byteColumn; // of tree t and lane n at t * leaves + n
  private final byte[] byteBound;
  private final short[] column; // the same, where bytes are too small
  private final short[] bound;
  private final boolean byLevel;
  private final int leaves; // entries a tree, and lanes
  private final int stride; // values of an entry
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

  NodeTable(Columns columns, List<RankedTree> trees) {
    byLevel = !byPath(trees);
    leaves = byLevel ? HEAP : NODES;
    int size = trees.size();
    inBytes =
        IntStream.range(0, columns.count()).allMatch(k -> columns.highestRank(k) <= HIGHEST_BYTE);
    int lanes = (size + 1) / 2 * 2 * leaves; // bytes are asked two words at a time
    byteColumn = new byte[inBytes ? lanes : 0];
    byteBound = new byte[byteColumn.length];
    Arrays.fill(byteBound, Byte.MAX_VALUE);
    column = new short[inBytes ? 0 : lanes];
    bound = new short[column.length];
    Arrays.fill(bound, Short.MAX_VALUE);
    asked = new int[byLevel ? 0 : size * leaves];
    right = new int[asked.length];
    Arrays.fill(right, -1); // of nothing asked: never found
    output = new int[size];
    outputs = new int[size];
    stride = trees.stream().mapToInt(RankedTree::outputs).max().orElse(1);
    values = new double[Math.multiplyExact(size * leaves, stride)];
    for (int tree = 0; tree < size; tree++) {
      RankedTree source = trees.get(tree);
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
      asked[tree * leaves + leaf] = asking;
      right[tree * leaves + leaf] = going;
      copyValues(tree, source, leaf, leaf);
      return;
    }
    put(tree * leaves + node, source, node);
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
    put(tree * leaves + place, source, node);
    addHeap(tree, source, source.left()[node], 2 * place);
    addHeap(tree, source, source.right()[node], 2 * place + 1);
  }

  private void put(int lane, RankedTree source, int node) {
    if (inBytes) {
      byteColumn[lane] = (byte) source.column()[node];
      byteBound[lane] = (byte) (source.bound()[node] - MIDDLE);
    } else {
      column[lane] = (short) source.column()[node];
      bound[lane] = (short) source.bound()[node];
    }
  }

  private void copyValues(int tree, RankedTree source, int leaf, int entry) {
    int width = source.outputs();
    System.arraycopy(
        source.values(), leaf * width, values, (tree * leaves + entry) * stride, width);
  }

  /**
   * The score after trees {@code [first, end)}, one value each, have added to {@code score}.
   *
   * @param permutesBytes whether this machine can
   */
  double add(double score, int first, int end, RowScratch scratch, boolean permutesBytes) {
    ask(first, end, scratch, permutesBytes);
    if (!byLevel) {
      return VectorNodes.addByPath(score, scratch.answers, this, first, end);
    }
    return VectorNodes.addByLevel(score, scratch.answers, values, first, end, scratch.leaves);
  }

  /** Adds the values of trees {@code [first, end)} to {@code target[0, raw scores)}. */
  void addTo(double[] target, int first, int end, RowScratch scratch, boolean permutesBytes) {
    ask(first, end, scratch, permutesBytes);
    if (!byLevel) {
      VectorNodes.byPath(scratch.answers, this, first, end, scratch.reached);
    }
    for (int tree = first; tree < end; tree++) {
      int leaf = byLevel ? leaf(scratch.answers, tree) : scratch.reached[tree];
      int value = (tree * leaves + leaf) * stride;
      for (int k = 0; k < outputs[tree]; k++) {
        target[output[tree] + k] += values[value + k];
      }
    }
  }

  /** Asks all nodes of trees {@code [first, end)}; a word of answers has 32 nodes. */
  private void ask(int first, int end, RowScratch scratch, boolean permutesBytes) {
    int words = leaves / NODES;
    int from = first * words;
    int to = end * words;
    scratch.requireAnswers(to + 2 * VectorNodes.TREES); // vectors may read on
    int[] ranks = scratch.ranks;
    if (inBytes && permutesBytes) {
      byte[] bytes = scratch.bytes;
      VectorNodes.narrow(ranks, MIDDLE, bytes);
      VectorNodes.answer(bytes, byteColumn, byteBound, from & -2, to + 1 & -2, scratch.answers);
      return;
    }
    short[] shorts = scratch.shorts;
    int middle = inBytes ? MIDDLE : 0;
    for (int k = 0; k < COLUMNS; k++) {
      shorts[k] = (short) (ranks[k] - middle);
    }
    if (inBytes) {
      VectorNodes.answerWidened(shorts, byteColumn, byteBound, from, to, scratch.answers);
    } else {
      VectorNodes.answer(shorts, column, bound, from, to, scratch.answers);
    }
  }

  /** Where the answers of a tree laid out by level lead. */
  private static int leaf(int[] answers, int tree) {
    long all = Integer.toUnsignedLong(answers[2 * tree]) | (long) answers[2 * tree + 1] << NODES;
    int node = 2 + (int) (all >>> 1 & 1);
    node = 2 * node + (int) (all >>> node & 1);
    node = 2 * node + (int) (all >>> node & 1);
    node = 2 * node + (int) (all >>> node & 1);
    node = 2 * node + (int) (all >>> node & 1);
    node = 2 * node + (int) (all >>> node & 1);
    return node - HEAP;
  }

  /** What the arrays take, in bytes. */
  long bytes() {
    return byteColumn.length
        + byteBound.length
        + 2L * (column.length + bound.length)
        + 4L * (asked.length + right.length + output.length + outputs.length)
        + 8L * values.length;
  }
}
