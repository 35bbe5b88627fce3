package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trees for {@link VectorRows} or {@link VectorWideRows} to walk down by 64 rows at once, a lane a
 * row: for blocks of one word. Immutable; safe to share.
 */
final class RowLanes {
  /*
   * Places as in TreeLanes, but a step is one node, which all rows are asked: two comparisons and a
   * blend for 32 rows, and no masks to be filled before, nor leaves to be numbered behind.
   *
   * 100 trees of 31 leaves, a row of 64: 200 ns for 255 by masks. With a node's four bytes in an int,
   * from which they must be shifted, 228: bytes are broadcast as they are loaded.
   */
  private static final int ROWS = Long.SIZE;
  private static final int MOST_LINES = 1 << Byte.SIZE;
  private static final int MOST_LEAVES = VectorSlices.LEAVES;
  private static final int FEWEST_IN_TABLE = 16;

  private final Columns columns;
  private final boolean wide;
  private final byte[] nodes; // see VectorRows and VectorWideRows
  private final byte[] nodesOfPresent; // where no row misses what would go right
  private final int[] from; // of each tree, and the end
  private final double[][] values; // of each tree, a power of 2 long; none if wide
  private final double[] allValues; // if wide: of tree k from firstValue[k] on
  private final int[] firstValue;
  private final boolean[] twice; // whether a search has another line

  /**
   * Lays trees out; null if they do not fit.
   *
   * @param wide for vectors of 512 bits, not 256
   */
  static @Nullable RowLanes of(Columns columns, List<RankedTree> trees, boolean wide) {
    boolean fits =
        !trees.isEmpty()
            && columns.sets().features() == 0
            && 2 * columns.searches() <= MOST_LINES
            && trees.stream()
                .allMatch(
                    tree ->
                        tree.outputs() == 1 && tree.output() == 0 && tree.leaves() <= MOST_LEAVES);
    for (int search = 0; fits && search < columns.searches(); search++) {
      fits = columns.levels(search) > 0;
    }
    return fits ? new RowLanes(columns, trees, wide) : null;
  }

  private RowLanes(Columns columns, List<RankedTree> trees, boolean wide) {
    this.wide = wide;
    this.columns = columns;
    int searches = columns.searches();
    twice = new boolean[searches];
    int[] searchOf = new int[columns.count()];
    for (int search = 0; search < searches; search++) {
      int left = columns.leftColumn(search);
      int right = columns.rightColumn(search);
      twice[search] = left >= 0 && right >= 0;
      if (left >= 0) {
        searchOf[left] = search;
      }
      if (right >= 0) {
        searchOf[right] = search;
      }
    }
    int size = trees.size();
    int bytes = wide ? VectorWideRows.NODE : VectorRows.NODE;
    from = new int[size + 1];
    firstValue = new int[wide ? size + 1 : 0];
    for (int k = 0; k < size; k++) {
      from[k + 1] = from[k] + bytes * trees.get(k).innerNodes();
      if (wide) {
        firstValue[k + 1] = firstValue[k] + trees.get(k).leaves();
      }
    }
    nodes = new byte[from[size]];
    values = new double[wide ? 0 : size][];
    allValues = new double[wide ? firstValue[size] + MOST_LEAVES : 0]; // vectors may read on
    for (int k = 0; k < size; k++) {
      RankedTree tree = trees.get(k);
      int root = tree.innerNodes() == 0 ? -1 : 0;
      if (wide) {
        addByLeaf(tree, k, root, 0, searchOf);
      } else {
        int length = Integer.highestOneBit(2 * tree.leaves() - 1);
        values[k] = new double[Math.max(length, FEWEST_IN_TABLE)];
        add(tree, k, root, 0, from[k], searchOf);
      }
    }
    nodesOfPresent = nodes.clone();
    for (int at = 0; at < nodes.length; at += bytes) {
      int line = nodes[at] & 0xFF;
      nodesOfPresent[at] = (byte) (line < searches ? line : line - searches);
    }
  }

  /**
   * Adds what is below a node, which comes before it.
   *
   * @param first the number of its first leaf
   * @param at where the first of its nodes goes
   * @return where the next node goes
   */
  private int add(RankedTree tree, int k, int node, int first, int at, int[] searchOf) {
    if (node < 0) {
      values[k][first] = tree.values()[-1 - node];
      return at;
    }
    int column = tree.column()[node];
    int search = searchOf[column];
    int behind = add(tree, k, tree.left()[node], first, at + VectorRows.NODE, searchOf);
    // A tree has as many leaves as nodes, and one more.
    int middle = first + (behind - at) / VectorRows.NODE;
    put(tree, node, first, at, search);
    nodes[at + 3] = (byte) middle;
    return add(tree, k, tree.right()[node], middle, behind, searchOf);
  }

  /**
   * Adds what is below a node, which stands for the gap behind the last leaf to its left.
   *
   * @param first the number of its first leaf
   * @return the number of the first leaf behind
   */
  private int addByLeaf(RankedTree tree, int k, int node, int first, int[] searchOf) {
    if (node < 0) {
      allValues[firstValue[k] + first] = tree.values()[-1 - node];
      return first + 1;
    }
    int middle = addByLeaf(tree, k, tree.left()[node], first, searchOf);
    int at = from[k] + (middle - 1) * VectorWideRows.NODE;
    put(tree, node, first, at, searchOf[tree.column()[node]]);
    return addByLeaf(tree, k, tree.right()[node], middle, searchOf);
  }

  private void put(RankedTree tree, int node, int first, int at, int search) {
    boolean other = twice[search] && columns.rightColumn(search) == tree.column()[node];
    nodes[at] = (byte) (other ? twice.length + search : search);
    nodes[at + 1] = rank(search, tree.bound()[node]);
    nodes[at + 2] = (byte) first;
  }

  /** A rank as a signed byte, in the order of ranks; its other bits as zeros on the right. */
  private byte rank(int search, int rank) {
    return (byte) ((rank << (Byte.SIZE - columns.levels(search))) ^ Byte.MIN_VALUE);
  }

  /**
   * Adds the values of trees {@code [first, end)} to {@code scratch.sums}, which stand in the order
   * of their rows. Ranks are there: see {@link TestMasks#rankLines}.
   */
  void add(int first, int end, BlockScratch scratch) {
    byte[] nodes = nodesOfPresent;
    if (scratch.copied) {
      nodes = this.nodes;
      copyLines(scratch);
    }
    if (wide) {
      addWide(nodes, first, end, scratch);
      return;
    }
    byte[] ranks = scratch.lineRanks;
    byte[] places = scratch.bytes;
    double[] sums = scratch.sums;
    int[] from = this.from;
    int tree = first;
    for (; tree + 2 <= end; tree += 2) {
      VectorRows.ask(ranks, nodes, from[tree], from[tree + 1], places, 0);
      VectorRows.ask(ranks, nodes, from[tree + 1], from[tree + 2], places, ROWS);
      addTwo(values[tree], values[tree + 1], places, sums);
    }
    if (tree < end) {
      VectorRows.ask(ranks, nodes, from[tree], from[tree + 1], places, 0);
      addOne(values[tree], places, sums);
    }
  }

  /** Copies lines of ranks where missing values rank highest. */
  private void copyLines(BlockScratch scratch) {
    byte[] ranks = scratch.lineRanks;
    for (int search = 0; search < twice.length; search++) {
      if (twice[search]) {
        byte highest = rank(search, columns.highestRank(columns.rightColumn(search)));
        int line = search * ROWS;
        int to = line + twice.length * ROWS;
        if (wide) {
          VectorWideRows.copy(ranks, line, scratch.missing[search], highest, to);
        } else {
          VectorRows.copy(ranks, line, scratch.missing[search], highest, to);
        }
      }
    }
  }

  private void addWide(byte[] nodes, int first, int end, BlockScratch scratch) {
    long[] labels = scratch.labels;
    double[] sums = scratch.sums;
    int[] from = this.from;
    for (int tree = first; tree < end; tree += 2) {
      int second = Math.min(tree + 1, end - 1); // of the last tree alone nothing is asked twice
      int to = tree + 1 < end ? from[tree + 2] : from[tree + 1];
      VectorWideRows.askTwo(scratch.lineRanks, nodes, from[tree], from[tree + 1], to, labels);
      int a = firstValue[tree];
      int b = firstValue[second];
      int leaves = Math.max(firstValue[tree + 1] - a, firstValue[second + 1] - b);
      if (tree < second && leaves <= VectorSlices.LEAVES_OF_TWO) {
        VectorSlices.addTwo(allValues, a, b, labels, sums, 0, Byte.SIZE);
        continue;
      }
      VectorSlices.addToWord(leaves, allValues, a, labels, 0, sums);
      if (tree < second) {
        VectorSlices.addToWord(leaves, allValues, b, labels, VectorSlices.SECOND, sums);
      }
    }
  }

  /** Adds values of two trees; tables are asked as {@link LeafSums} does. */
  private static void addTwo(double[] a, double[] b, byte[] places, double[] sums) {
    for (int row = 0; row < ROWS; row++) {
      sums[row] =
          sums[row] + a[places[row] & (a.length - 1)] + b[places[ROWS + row] & (b.length - 1)];
    }
  }

  private static void addOne(double[] values, byte[] places, double[] sums) {
    for (int row = 0; row < ROWS; row++) {
      sums[row] += values[places[row] & (values.length - 1)];
    }
  }

  long bytes() {
    return 2L * nodes.length
        + 4L * (from.length + firstValue.length)
        + 8L * allValues.length
        + twice.length
        + Arrays.stream(values).mapToLong(table -> 16 + 8L * table.length).sum();
  }
}
