package io.holdfast.boosting.model.kernel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trees walked by a block of rows at once, a bit a row, without the Vector API. Immutable; safe to
 * share.
 */
final class SlicedTrees {
  /*
   * A tree is grown again on the block: leaf 0 holds all rows; each inner node, level by level, keeps
   * in its leaf the rows that go left and moves those that go right to a new leaf, so that after the
   * last node every leaf has the rows that reach it. Then plane p holds bit p of the number of the
   * leaf that a row is in: the rows of all leaves whose number has that bit. Turning the 8 planes'
   * bits in squares of 8 by 8 makes them bytes, one a row; leaf values are looked up by them and
   * added, tree by tree, so that each row's sum is that of the plain walk.
   *
   * Sums stand in the order in which labels are read: see BlockScratch. Only where vectors number one
   * word's leaves, they come out in the order of the rows.
   *
   * A split, from the high bits: slot of its test's mask 24 | leaf that is split 8; the new leaf's
   * number is the number of splits so far.
   */
  private static final int LEAF_BITS = 8;
  private static final int LEAF_MASK = (1 << LEAF_BITS) - 1;
  private static final int FEWEST_IN_TABLE = 16;
  private static final int MOST_SLOTS = 1 << (31 - LEAF_BITS);

  private final TestMasks tests;
  private final int[] firstSplit; // of each tree, and the end
  private final int[] splits;
  private final int[] splitsOfPresent; // where no test is copied
  private final int[] output; // of each tree
  private final int[] outputs; // of each tree
  private final int[] firstValue; // of each tree, and the end
  private final boolean numberedByVectors;
  private final double @Nullable [][] tables; // of each tree, a power of 2 long: see LeafSums
  private final @Nullable RowLanes rows; // for one word by vectors
  private final double[]
      values; // output by output: of leaf l at l, of its next output at leaves + l

  /** Whether trees can be laid out: none has too many leaves, and tests are not too many. */
  static boolean fits(Columns columns, List<RankedTree> trees) {
    long slots = 0;
    for (int column = 0; column < columns.count(); column++) {
      slots += columns.highestRank(column) + 1; // at most
    }
    for (RankedTree tree : trees) {
      if (tree.leaves() > BlockScratch.LEAVES) {
        return false;
      }
    }
    return slots <= MOST_SLOTS;
  }

  /**
   * Lays trees out.
   *
   * @param by256 whether vectors of 256 bits may serve
   * @param wide whether vectors of 512 bits may
   */
  SlicedTrees(Columns columns, List<RankedTree> trees, boolean by256, boolean wide) {
    tests = new TestMasks(columns, trees);
    int size = trees.size();
    firstSplit = new int[size + 1];
    firstValue = new int[size + 1];
    output = new int[size];
    outputs = new int[size];
    for (int k = 0; k < size; k++) {
      RankedTree tree = trees.get(k);
      firstSplit[k + 1] = firstSplit[k] + tree.innerNodes();
      firstValue[k + 1] = Math.addExact(firstValue[k], tree.values().length);
      output[k] = tree.output();
      outputs[k] = tree.outputs();
    }
    numberedByVectors = trees.stream().allMatch(tree -> tree.leaves() <= VectorSlices.LEAVES);
    splits = new int[firstSplit[size]];
    splitsOfPresent = new int[firstSplit[size]];
    values = new double[firstValue[size] + VectorSlices.LEAVES]; // vectors may read on
    for (int k = 0; k < size; k++) {
      add(k, trees.get(k));
    }
    tables = by256 && numberedByVectors && haveOneSum(trees) ? tables() : null;
    rows = by256 || wide ? RowLanes.of(columns, trees, wide) : null;
  }

  /** Whether all trees add one value each to the same sum. */
  private static boolean haveOneSum(List<RankedTree> trees) {
    return trees.stream().allMatch(tree -> tree.outputs() == 1)
        && trees.stream().mapToInt(RankedTree::output).distinct().count() <= 1;
  }

  private double[][] tables() {
    double[][] all = new double[output.length][];
    for (int k = 0; k < all.length; k++) {
      int leaves = leaves(k);
      all[k] = new double[Math.max(Integer.highestOneBit(2 * leaves - 1), FEWEST_IN_TABLE)];
      System.arraycopy(values, firstValue[k], all[k], 0, leaves);
    }
    return all;
  }

  private void add(int k, RankedTree tree) {
    int[] leafOf = new int[tree.innerNodes()];
    if (tree.innerNodes() == 0) {
      copyValues(k, tree, 0, 0);
    }
    int split = 0;
    for (int node : byLevel(tree)) {
      int column = tree.column()[node];
      int bound = tree.bound()[node];
      int at = firstSplit[k] + split;
      splits[at] = tests.slot(column, bound) << LEAF_BITS | leafOf[node];
      splitsOfPresent[at] = tests.slotOfPresent(column, bound) << LEAF_BITS | leafOf[node];
      place(k, tree, tree.left()[node], leafOf[node], leafOf);
      place(k, tree, tree.right()[node], ++split, leafOf);
    }
  }

  /**
   * Inner nodes, level by level: a split that follows the one that made its leaf waits for its rows
   * to be written.
   */
  private static int[] byLevel(RankedTree tree) {
    int[] nodes = new int[tree.innerNodes()];
    int known = Math.min(1, nodes.length); // the root
    for (int k = 0; k < nodes.length; k++) {
      for (int child : new int[] {tree.left()[nodes[k]], tree.right()[nodes[k]]}) {
        if (child >= 0) {
          nodes[known++] = child;
        }
      }
    }
    return nodes;
  }

  private void place(int k, RankedTree tree, int child, int leaf, int[] leafOf) {
    if (child >= 0) {
      leafOf[child] = leaf;
    } else {
      copyValues(k, tree, -1 - child, leaf);
    }
  }

  private void copyValues(int k, RankedTree tree, int from, int leaf) {
    for (int value = 0; value < tree.outputs(); value++) {
      values[firstValue[k] + value * tree.leaves() + leaf] =
          tree.values()[from * tree.outputs() + value];
    }
  }

  TestMasks tests() {
    return tests;
  }

  /** What scores one word by vectors without masks, if trees are laid out for it. */
  @Nullable RowLanes rows() {
    return rows;
  }

  private int[] splits(BlockScratch scratch) {
    return scratch.copied ? splits : splitsOfPresent;
  }

  /** Whether vectors can number the leaves of all trees. */
  boolean numberedByVectors() {
    return numberedByVectors;
  }

  /** {@link #addByWords} for all eight words by vectors, which are there and compiled. */
  void addByVectors(int first, int end, BlockScratch scratch) {
    int[] splits = splits(scratch);
    for (int tree = first; tree < end; tree++) {
      int leaves = leaves(tree);
      if (tree + 1 < end && alike(tree)) {
        addTwo(tree, scratch);
        tree++;
      } else if (leaves > VectorSlices.LEAVES) {
        add(tree, BlockScratch.WORDS, scratch);
      } else {
        VectorSlices.grow(splits, firstSplit[tree], leaves, scratch.masks, scratch.reach, 0);
        VectorSlices.number(leaves, scratch.reach, 0, scratch.planes, scratch.labels, 0);
        addValues(tree, leaves, scratch, 0, 64);
      }
    }
  }

  /** Whether two trees add one value each to the same sum, and are small enough to go together. */
  private boolean alike(int tree) {
    return outputs[tree] == 1
        && outputs[tree + 1] == 1
        && output[tree] == output[tree + 1]
        && leaves(tree) <= VectorSlices.LEAVES_OF_TWO
        && leaves(tree + 1) <= VectorSlices.LEAVES_OF_TWO;
  }

  /** Two trees: one is numbered while the other still waits for its own. */
  private void addTwo(int tree, BlockScratch scratch) {
    int next = tree + 1;
    int second = VectorSlices.LEAVES_OF_TWO;
    int[] splits = splits(scratch);
    long[] reach = scratch.reach;
    VectorSlices.grow(splits, firstSplit[tree], leaves(tree), scratch.masks, reach, 0);
    VectorSlices.grow(splits, firstSplit[next], leaves(next), scratch.masks, reach, second);
    VectorSlices.number(leaves(tree), reach, 0, scratch.planes, scratch.labels, 0);
    VectorSlices.number(
        leaves(next), reach, second, scratch.planes, scratch.labels, VectorSlices.SECOND);
    VectorSlices.addTwo(
        values,
        firstValue[tree],
        firstValue[next],
        scratch.labels,
        scratch.sums,
        output[tree] * BlockScratch.ROWS,
        64);
  }

  /**
   * The same for one or two words by vectors, which are there and compiled and can number all
   * leaves; sums stand in the order of their rows.
   */
  void addWordsByVectors(int first, int end, int words, BlockScratch scratch) {
    int[] splits = splits(scratch);
    for (int word = 0; word < words; word++) {
      for (int tree = first; tree < end; tree++) {
        int leaves = leaves(tree);
        VectorWords.grow(splits, firstSplit[tree], leaves, scratch.masks, word, words, scratch);
        addValues(tree, leaves, scratch, word << 6, 8);
      }
    }
  }

  /** {@link #addByWords} for all eight words by vectors of 256 bits. */
  void addBy256(int first, int end, BlockScratch scratch) {
    int tree = first;
    double[][] tables = this.tables;
    if (tables != null) {
      for (; tree + 2 <= end; tree += 2) {
        numberBy256(tree, scratch, 0);
        numberBy256(tree + 1, scratch, Long.SIZE);
        int sum = output[tree] * BlockScratch.ROWS;
        LeafSums.addTwo(tables[tree], tables[tree + 1], scratch.leaves, scratch.sums, sum);
      }
    }
    for (; tree < end; tree++) {
      int leaves = leaves(tree);
      if (leaves > VectorSlices256.LEAVES) {
        add(tree, BlockScratch.WORDS, scratch);
        continue;
      }
      numberBy256(tree, scratch, 0);
      for (int k = 0; k < outputs[tree]; k++) {
        int sum = (output[tree] + k) * BlockScratch.ROWS;
        LeafSums.add(values, firstValue[tree] + k * leaves, scratch.leaves, scratch.sums, sum);
      }
    }
  }

  private void numberBy256(int tree, BlockScratch scratch, int to) {
    int leaves = leaves(tree);
    long[] reach = scratch.reach;
    VectorSlices256.grow(splits(scratch), firstSplit[tree], leaves, scratch.masks, reach);
    VectorSlices256.number(leaves, reach, scratch.planes, scratch.leaves, to);
  }

  /**
   * The same for one word, if trees do not go by {@link #rows}: eight trees at a time take the
   * place of eight words.
   */
  void addWordBy256(int first, int end, BlockScratch scratch) {
    for (int tree = first; tree < end; tree += BlockScratch.WORDS) {
      int count = Math.min(BlockScratch.WORDS, end - tree);
      int most = 0;
      for (int k = 0; k < count; k++) {
        most = Math.max(most, leaves(tree + k));
      }
      if (most > VectorSlices256.LEAVES) {
        addByWords(tree, tree + count, 1, scratch);
        continue;
      }
      long[] reach = scratch.reach;
      VectorSlices256.clear(reach, most);
      for (int k = 0; k < count; k++) {
        int split = firstSplit[tree + k];
        VectorSlices256.growWord(splits(scratch), split, leaves(tree + k), scratch.masks, reach, k);
      }
      VectorSlices256.number(most, reach, scratch.planes, scratch.leaves, 0);
      addWord(tree, count, scratch);
    }
  }

  private void addWord(int first, int count, BlockScratch scratch) {
    double[][] tables = this.tables;
    int place = 0;
    if (tables != null) {
      int sum = output[first] * BlockScratch.ROWS;
      for (; place + 2 <= count; place += 2) {
        double[] a = tables[first + place];
        double[] b = tables[first + place + 1];
        LeafSums.addTwoToWord(a, b, scratch.leaves, place, scratch.sums, sum);
      }
    }
    for (; place < count; place++) {
      int tree = first + place;
      for (int k = 0; k < outputs[tree]; k++) {
        int from = firstValue[tree] + k * leaves(tree);
        int sum = (output[tree] + k) * BlockScratch.ROWS;
        LeafSums.addWord(values, from, scratch.leaves, place, scratch.sums, sum);
      }
    }
  }

  private int leaves(int tree) {
    return firstSplit[tree + 1] - firstSplit[tree] + 1;
  }

  private void addValues(int tree, int leaves, BlockScratch scratch, int at, int count) {
    for (int k = 0; k < outputs[tree]; k++) {
      VectorSlices.add(
          leaves,
          values,
          firstValue[tree] + k * leaves,
          scratch.labels,
          scratch.sums,
          (output[tree] + k) * BlockScratch.ROWS + at,
          count);
    }
  }

  /** Adds trees {@code [first, end)} to {@code scratch.sums}; its masks are filled. */
  void addByWords(int first, int end, int words, BlockScratch scratch) {
    for (int tree = first; tree < end; tree++) {
      add(tree, words, scratch);
    }
  }

  private void add(int tree, int words, BlockScratch scratch) {
    int leaves = leaves(tree);
    for (int word = 0; word < words; word++) {
      grow(tree, word, words, scratch);
      number(leaves, scratch.reach, scratch.labels);
      for (int k = 0; k < outputs[tree]; k++) {
        int sum = (output[tree] + k) * BlockScratch.ROWS + 8 * word;
        addValues(firstValue[tree] + k * leaves, scratch.labels, scratch.sums, sum);
      }
    }
  }

  /** Finds the rows that reach each leaf; leaves up to the next multiple of 8 have none. */
  private void grow(int tree, int word, int words, BlockScratch scratch) {
    int from = firstSplit[tree];
    int leaves = leaves(tree);
    int[] splits = splits(scratch);
    long[] masks = scratch.masks;
    long[] reach = scratch.reach;
    reach[0] = -1;
    for (int leaf = 1; leaf < leaves; leaf++) {
      int split = splits[from + leaf - 1];
      long right = masks[(split >>> LEAF_BITS) * words + word];
      int old = split & LEAF_MASK;
      long all = reach[old];
      reach[leaf] = all & right;
      reach[old] = all & ~right;
    }
    for (int leaf = leaves; (leaf & 7) != 0; leaf++) {
      reach[leaf] = 0;
    }
  }

  /** Writes the leaf of row 8j + i of the word as byte j of label i. */
  private static void number(int leaves, long[] reach, long[] labels) {
    long p0 = 0;
    long p1 = 0;
    long p2 = 0;
    long p3 = 0;
    long p4 = 0;
    long p5 = 0;
    long p6 = 0;
    long p7 = 0;
    for (int from = 0; from < leaves; from += 8) {
      long one = reach[from + 1];
      long three = reach[from + 3];
      long five = reach[from + 5];
      long seven = reach[from + 7];
      long low = reach[from + 2] | three;
      long high = reach[from + 6] | seven;
      long middle = reach[from + 4] | five;
      p0 |= one | three | five | seven;
      p1 |= low | high;
      p2 |= middle | high;
      long all = reach[from] | one | low | middle | high;
      p3 |= all & -(long) (from >> 3 & 1);
      p4 |= all & -(long) (from >> 4 & 1);
      p5 |= all & -(long) (from >> 5 & 1);
      p6 |= all & -(long) (from >> 6 & 1);
      p7 |= all & -(long) (from >> 7 & 1);
    }
    labels[0] = p0;
    labels[1] = p1;
    labels[2] = p2;
    labels[3] = p3;
    labels[4] = p4;
    labels[5] = p5;
    labels[6] = p6;
    labels[7] = p7;
    turn(labels, 4, 0x0F0F_0F0F_0F0F_0F0FL);
    turn(labels, 2, 0x3333_3333_3333_3333L);
    turn(labels, 1, 0x5555_5555_5555_5555L);
  }

  /** Exchanges the off-diagonal squares of {@code size} in all squares of twice that size. */
  private static void turn(long[] labels, int size, long mask) {
    for (int k = 0; k < 4; k++) {
      int row = k / size * 2 * size + k % size;
      long change = (labels[row] >>> size ^ labels[row + size]) & mask;
      labels[row] ^= change << size;
      labels[row + size] ^= change;
    }
  }

  private void addValues(int first, long[] labels, double[] sums, int sum) {
    for (int i = 0; i < 8; i++) {
      long eight = labels[i];
      int from = sum + i * Long.SIZE;
      for (int j = 0; j < 8; j++) {
        sums[from + j] += values[first + ((int) eight & LEAF_MASK)];
        eight >>>= 8;
      }
    }
  }

  /** What the arrays take, in bytes. */
  long bytes() {
    double[][] tables = this.tables;
    long ofTables =
        tables == null ? 0 : Arrays.stream(tables).mapToLong(t -> 16 + 8L * t.length).sum();
    return 8L * values.length
        + ofTables
        + (rows == null ? 0 : rows.bytes())
        + 4L * (firstSplit.length + 2 * splits.length + firstValue.length + 2 * output.length)
        + tests.bytes();
  }
}
