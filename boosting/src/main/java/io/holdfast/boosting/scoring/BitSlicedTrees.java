package io.holdfast.boosting.scoring;

import java.util.Arrays;
import java.util.List;

/** Trees evaluated on a block of rows at once, a bit a row. Immutable; safe to share. */
final class BitSlicedTrees {
  /*
   * A tree is grown again on the block: leaf 0 has all rows; each inner node, level by level, keeps the
   * rows that go left in its leaf and moves the others to a new leaf, so that in the end every leaf has
   * the rows that reach it. Plane p holds bit p of the number of each row's leaf: the rows of all leaves
   * whose number has that bit. Transposing squares of 8 by 8 bits of the planes gives labels, a byte a
   * row. Leaf values are looked up by them and added tree by tree, so that the bits are those of the
   * plain walk. Label 8i + w holds rows 8j + i of word w as byte j; sums have the same order.
   *
   * A split, from the high bits: slot of its test's mask 24 | leaf that is split 8; the new leaf's
   * number is the number of splits so far.
   */
  private static final int LEAF_BITS = 8;
  private static final int LEAF_MASK = (1 << LEAF_BITS) - 1;

  private static final int LEAVES_BY_VECTORS = 64; // of a tree at most
  private static final int MOST_SLOTS = 1 << (31 - LEAF_BITS);

  final PredicateBitmaps bitmaps;
  private final int[] firstSplit; // of each tree, and the end
  private final int[] splits;
  private final int[] splitsOfPresent; // where no test is copied
  private final int[] output; // of each tree
  private final int[] outputs; // of each tree
  private final double[][] values; // of each tree, output by output, a power of 2 each

  static boolean fits(Columns columns, List<RankedTree> trees) {
    long slots = 0;
    for (int column = 0; column < columns.count; column++) {
      slots += columns.highestRank[column] + 1; // at most
    }
    return slots <= MOST_SLOTS
        && trees.stream().allMatch(tree -> tree.leaves() <= BlockScratch.LEAVES);
  }

  BitSlicedTrees(Columns columns, List<RankedTree> trees) {
    bitmaps = new PredicateBitmaps(columns, trees);
    int size = trees.size();
    firstSplit = new int[size + 1];
    output = trees.stream().mapToInt(RankedTree::output).toArray();
    outputs = trees.stream().mapToInt(RankedTree::outputs).toArray();
    values = new double[size][];
    for (int k = 0; k < size; k++) {
      RankedTree tree = trees.get(k);
      firstSplit[k + 1] = firstSplit[k] + tree.innerNodes();
      values[k] = new double[Math.multiplyExact(outputs[k], room(tree.leaves()))];
    }
    splits = new int[firstSplit[size]];
    splitsOfPresent = new int[firstSplit[size]];
    for (int k = 0; k < size; k++) {
      add(k, trees.get(k));
    }
  }

  /** The size of an output's table of values: the next power of 2. */
  private static int room(int leaves) {
    return Integer.highestOneBit(2 * leaves - 1);
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
      splits[at] = bitmaps.slot(column, bound) << LEAF_BITS | leafOf[node];
      splitsOfPresent[at] = bitmaps.slotOfPresent(column, bound) << LEAF_BITS | leafOf[node];
      place(k, tree, tree.left()[node], leafOf[node], leafOf);
      place(k, tree, tree.right()[node], ++split, leafOf);
    }
  }

  /** Inner nodes by level, so that a split does not wait for the one that made its leaf. */
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
      values[k][value * room(tree.leaves()) + leaf] = tree.values()[from * tree.outputs() + value];
    }
  }

  private int[] splits(BlockScratch scratch) {
    return scratch.copied ? splits : splitsOfPresent;
  }

  /** The same as {@link #addByWords} for all eight words by vectors, which must be there. */
  void addByVectors(int first, int end, BlockScratch scratch) {
    for (int tree = first; tree < end; tree++) {
      if (leaves(tree) > LEAVES_BY_VECTORS) {
        addByWords(tree, tree + 1, BlockScratch.WORDS, scratch);
        continue;
      }
      numberByVectors(tree, scratch, 0);
      if (tree + 1 < end && alike(tree) && leaves(tree + 1) <= LEAVES_BY_VECTORS) {
        numberByVectors(tree + 1, scratch, Long.SIZE);
        addTwo(tree, 0, 1, scratch);
        tree++;
      } else {
        addOne(tree, 0, 1, 0, scratch);
      }
    }
  }

  private void numberByVectors(int tree, BlockScratch scratch, int to) {
    int leaves = leaves(tree);
    long[] reach = scratch.reach;
    VectorSlices.grow(splits(scratch), firstSplit[tree], leaves, scratch.masks, reach);
    VectorSlices.number(leaves, reach, scratch.planes, scratch.leaves, to);
  }

  /** The same for one word: eight trees take the place of eight words. */
  void addWordByVectors(int first, int end, BlockScratch scratch) {
    for (int tree = first; tree < end; tree += BlockScratch.WORDS) {
      int count = Math.min(BlockScratch.WORDS, end - tree);
      int most = 0;
      for (int k = 0; k < count; k++) {
        most = Math.max(most, leaves(tree + k));
      }
      if (most > LEAVES_BY_VECTORS) {
        addByWords(tree, tree + count, 1, scratch);
        continue;
      }
      long[] reach = scratch.reach;
      VectorSlices.clear(reach, most);
      for (int k = 0; k < count; k++) {
        int split = firstSplit[tree + k];
        VectorSlices.growWord(splits(scratch), split, leaves(tree + k), scratch.masks, reach, k);
      }
      VectorSlices.number(most, reach, scratch.planes, scratch.leaves, 0);
      addWord(tree, count, scratch);
    }
  }

  private void addWord(int first, int count, BlockScratch scratch) {
    for (int k = 0; k < count; k++) {
      if (k + 1 < count && alike(first + k)) {
        addTwo(first + k, k, BlockScratch.WORDS, scratch);
        k++;
      } else {
        addOne(first + k, k, BlockScratch.WORDS, 0, scratch);
      }
    }
  }

  /** Whether a tree and the next add one value each to the same sum. */
  private boolean alike(int tree) {
    return outputs[tree] == 1 && outputs[tree + 1] == 1 && output[tree] == output[tree + 1];
  }

  /** Adds a tree's values to the sums of rows from {@code firstRow} on. */
  private void addOne(int tree, int at, int step, int firstRow, BlockScratch scratch) {
    int room = room(leaves(tree));
    for (int k = 0; k < outputs[tree]; k++) {
      int sum = (output[tree] + k) * BlockScratch.ROWS + firstRow / Byte.SIZE;
      addValues(values[tree], k * room, scratch.leaves, at, step, scratch.sums, sum);
    }
  }

  private void addTwo(int tree, int at, int step, BlockScratch scratch) {
    int sum = output[tree] * BlockScratch.ROWS;
    addTwo(values[tree], values[tree + 1], scratch.leaves, at, step, scratch.sums, sum);
  }

  /*
   * Loops wait for loads and checks of bounds: so eight rows' leaves are loaded at once, and a table
   * whose length is a power of 2 is read at "leaf & length - 1", which the compiler does not check.
   */

  /**
   * Adds a tree's values to the sums of rows.
   *
   * @param labels the leaves of eight rows each: of eight words, or of one word in eight trees
   * @param at of the first label
   * @param step between labels: 1 for eight words, 8 for one
   * @param sum of the first row
   */
  private static void addValues(
      double[] values, int first, long[] labels, int at, int step, double[] sums, int sum) {
    for (int k = 0; k < Long.SIZE; k += step) {
      long rest = labels[at + k];
      int to = sum + k * Byte.SIZE;
      for (int row = 0; row < Byte.SIZE; row++, rest >>>= Byte.SIZE) {
        sums[to + row] += values[first + ((int) rest & LEAF_MASK)];
      }
    }
  }

  /** The same for two trees of one output, one after the other; their labels are adjacent. */
  private static void addTwo(
      double[] a, double[] b, long[] labels, int at, int step, double[] sums, int sum) {
    int apart = step == 1 ? Long.SIZE : 1;
    for (int k = 0; k < Long.SIZE; k += step) {
      long ofA = labels[at + k];
      long ofB = labels[at + k + apart];
      int to = sum + k * Byte.SIZE;
      for (int row = 0; row < Byte.SIZE; row++) {
        sums[to + row] =
            sums[to + row] + a[(int) ofA & (a.length - 1)] + b[(int) ofB & (b.length - 1)];
        ofA >>>= Byte.SIZE;
        ofB >>>= Byte.SIZE;
      }
    }
  }

  private int leaves(int tree) {
    return firstSplit[tree + 1] - firstSplit[tree] + 1;
  }

  /** Adds trees {@code [first, end)} to {@code scratch.sums}; its masks are filled. */
  void addByWords(int first, int end, int words, BlockScratch scratch) {
    for (int tree = first; tree < end; tree++) {
      for (int word = 0; word < words; word++) {
        grow(tree, word, words, scratch);
        number(leaves(tree), scratch.reach, scratch.leaves);
        addOne(tree, 0, BlockScratch.WORDS, word * Long.SIZE, scratch);
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

  /** Writes the leaf of row 8j + i of the word as byte j of label 8i. */
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
    labels[8] = p1;
    labels[16] = p2;
    labels[24] = p3;
    labels[32] = p4;
    labels[40] = p5;
    labels[48] = p6;
    labels[56] = p7;
    turn(labels, 4, 0x0F0F_0F0F_0F0F_0F0FL);
    turn(labels, 2, 0x3333_3333_3333_3333L);
    turn(labels, 1, 0x5555_5555_5555_5555L);
  }

  /** Exchanges the off-diagonal squares of {@code size} in all squares of twice that size. */
  private static void turn(long[] labels, int size, long mask) {
    for (int k = 0; k < 4; k++) {
      int row = (k / size * 2 * size + k % size) * BlockScratch.WORDS;
      int other = row + size * BlockScratch.WORDS;
      long change = (labels[row] >>> size ^ labels[other]) & mask;
      labels[row] ^= change << size;
      labels[other] ^= change;
    }
  }

  long bytes() {
    return Arrays.stream(values).mapToLong(table -> 16 + 8L * table.length).sum()
        + 4L * (firstSplit.length + 2 * splits.length + 2 * output.length)
        + bitmaps.bytes();
  }
}
