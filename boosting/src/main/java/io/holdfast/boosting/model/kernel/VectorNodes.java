package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link NodeTable} in vectors of 512 bits: all nodes of a tree at once. To be loaded
 * only where the incubator module is. Stateless.
 */
final class VectorNodes {
  /*
   * Answers and leaves have loops of their own: answers by bytes are 0.4 ns a tree then, and a leaf
   * takes its tree's answers from memory, not from the other registers. Leaves are added at once, so
   * that additions, which wait for one another, go on while the next leaves are found. Measured on
   * 100 and 500 trees of 31 leaves: 186 and 1,089 ns a row; leaves noted first and added then, 214 and
   * 1,391; answers by shorts within the loop of leaves, 322 and 1,788.
   */
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
  private static final VectorSpecies<Byte> HALF = ByteVector.SPECIES_256;
  private static final VectorSpecies<Byte> QUARTER = ByteVector.SPECIES_128;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Integer> HALF_INTS = IntVector.SPECIES_256;
  private static final int LANES = NodeTable.NODES;
  private static final int HEAP = 2 * LANES;

  /** Trees whose levels are walked at once. */
  static final int TREES = 8;

  private static final LongVector TREE_OFFSETS = LongVector.zero(LONGS).addIndex(HEAP);

  private VectorNodes() {}

  /** Writes the 64 numbers of {@code ranks} less {@code middle} as bytes. */
  static void narrow(int[] ranks, int middle, byte[] bytes) {
    for (int k = 0; k < NodeTable.COLUMNS; k += INTS.length()) {
      ((ByteVector)
              IntVector.fromArray(INTS, ranks, k)
                  .sub(middle)
                  .convertShape(VectorOperators.I2B, QUARTER, 0))
          .intoArray(bytes, k);
    }
  }

  /**
   * Asks the nodes of words {@code [from, to)}, both even: bit n of a word's answers is whether the
   * rank in node n's column exceeds its bound. Needs a machine that permutes bytes.
   *
   * @param ranks of 64 columns
   */
  static void answer(byte[] ranks, byte[] column, byte[] bound, int from, int to, int[] answers) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
    for (int word = from; word < to; word += 2) {
      int at = word * LANES;
      long both =
          ByteVector.fromArray(BYTES, column, at)
              .selectFrom(table)
              .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, bound, at))
              .toLong();
      answers[word] = (int) both;
      answers[word + 1] = (int) (both >>> LANES);
    }
  }

  /** The same of any words on machines that permute shorts only. */
  static void answerWidened(
      short[] ranks, byte[] column, byte[] bound, int from, int to, int[] answers) {
    ShortVector low = ShortVector.fromArray(SHORTS, ranks, 0);
    ShortVector high = ShortVector.fromArray(SHORTS, ranks, LANES);
    for (int word = from; word < to; word++) {
      int at = word * LANES;
      ShortVector wide =
          (ShortVector)
              ByteVector.fromArray(HALF, column, at).convertShape(VectorOperators.B2S, SHORTS, 0);
      ShortVector least =
          (ShortVector)
              ByteVector.fromArray(HALF, bound, at).convertShape(VectorOperators.B2S, SHORTS, 0);
      answers[word] = (int) wide.selectFrom(low, high).compare(VectorOperators.GT, least).toLong();
    }
  }

  /** The same where ranks need shorts. */
  static void answer(
      short[] ranks, short[] column, short[] bound, int from, int to, int[] answers) {
    ShortVector low = ShortVector.fromArray(SHORTS, ranks, 0);
    ShortVector high = ShortVector.fromArray(SHORTS, ranks, LANES);
    for (int word = from; word < to; word++) {
      int at = word * LANES;
      answers[word] =
          (int)
              ShortVector.fromArray(SHORTS, column, at)
                  .selectFrom(low, high)
                  .compare(VectorOperators.GT, ShortVector.fromArray(SHORTS, bound, at))
                  .toLong();
    }
  }

  /**
   * The sum after the leaves of trees {@code [from, to)} have added to {@code score}, one after the
   * other: a tree's leaf is the one of 32 whose path asks the nodes in {@code asked} and finds
   * those in {@code right} going right.
   *
   * @param answers a word a tree
   */
  static double addByPath(double score, int[] answers, NodeTable table, int from, int to) {
    int[] asked = table.asked;
    int[] right = table.right;
    double[] values = table.values;
    double sum = score;
    for (int tree = from; tree < to; tree++) {
      int at = tree * LANES;
      IntVector all = IntVector.broadcast(INTS, answers[tree]);
      long first =
          IntVector.fromArray(INTS, asked, at)
              .and(all)
              .compare(VectorOperators.EQ, IntVector.fromArray(INTS, right, at))
              .toLong();
      long second =
          IntVector.fromArray(INTS, asked, at + 16)
              .and(all)
              .compare(VectorOperators.EQ, IntVector.fromArray(INTS, right, at + 16))
              .toLong();
      sum += values[at + Long.numberOfTrailingZeros(first | second << 16)];
    }
    return sum;
  }

  /**
   * The sum after the leaves of trees {@code [from, to)} have added to {@code score}, where nodes
   * stand by level: a lane goes down a tree. Steps in lanes take a third of what they take one tree
   * after the other.
   *
   * @param answers two words a tree, and as many as {@link #TREES} trees have behind
   * @param leaves scratch
   */
  static double addByLevel(
      double score, int[] answers, double[] values, int from, int to, int[] leaves) {
    double sum = score;
    for (int tree = from; tree < to; tree += TREES) {
      LongVector all = IntVector.fromArray(INTS, answers, 2 * tree).reinterpretAsLongs();
      LongVector node = all.lanewise(VectorOperators.LSHR, 1).and(1).add(2);
      node = node.add(node).add(all.lanewise(VectorOperators.LSHR, node).and(1));
      node = node.add(node).add(all.lanewise(VectorOperators.LSHR, node).and(1));
      node = node.add(node).add(all.lanewise(VectorOperators.LSHR, node).and(1));
      node = node.add(node).add(all.lanewise(VectorOperators.LSHR, node).and(1));
      node = node.add(node).add(all.lanewise(VectorOperators.LSHR, node).and(1));
      ((IntVector)
              node.add(TREE_OFFSETS)
                  .add((tree - 1L) * HEAP)
                  .convertShape(VectorOperators.L2I, HALF_INTS, 0))
          .intoArray(leaves, 0);
      int count = Math.min(TREES, to - tree);
      for (int k = 0; k < count; k++) {
        sum += values[leaves[k]];
      }
    }
    return sum;
  }

  /** Writes the leaf of each of trees {@code [from, to)}. */
  static void byPath(int[] answers, NodeTable table, int from, int to, int[] reached) {
    int[] asked = table.asked;
    int[] right = table.right;
    for (int tree = from; tree < to; tree++) {
      int at = tree * LANES;
      IntVector all = IntVector.broadcast(INTS, answers[tree]);
      long first =
          IntVector.fromArray(INTS, asked, at)
              .and(all)
              .compare(VectorOperators.EQ, IntVector.fromArray(INTS, right, at))
              .toLong();
      long second =
          IntVector.fromArray(INTS, asked, at + 16)
              .and(all)
              .compare(VectorOperators.EQ, IntVector.fromArray(INTS, right, at + 16))
              .toLong();
      reached[tree] = Long.numberOfTrailingZeros(first | second << 16);
    }
  }
}
