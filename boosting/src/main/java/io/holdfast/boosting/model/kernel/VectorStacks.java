package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link StackedTrees} in vectors of 256 bits: the first three levels of four trees at
 * once, then the next three of each. To be loaded only where the incubator module is. Stateless.
 */
final class VectorStacks {
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_256;
  private static final VectorSpecies<Byte> HALF = ByteVector.SPECIES_128;
  private static final int HALF_LANES = 16;

  /** Trees whose first levels are asked at once. */
  static final int TREES = 4;

  /** Nodes of a subtree, and room for one more. */
  static final int NODES = 8;

  /** Subtrees below the first levels of a tree, and leaves of one. */
  static final int EXITS = 8;

  /** Bytes of the first levels of four trees: columns, then bounds. */
  static final int TOPS = 2 * TREES * NODES;

  /** Bytes of a subtree. */
  static final int SUBTREE = 2 * NODES;

  /** The bit of a first level's column that is in the second table. */
  static final int SECOND_OF_TOP = 0x80;

  /** The bit of a subtree's column that is in its table's second half. */
  static final int UPPER_HALF = 0x80;

  /** The bit of a subtree's column that is in the second table. */
  static final int SECOND = 0x40;

  private static final int ANSWERS = 0xFF;
  private static final int ANSWERS_OF_SEVEN = 0x7F;

  /** Where a row leaves three levels, by the answers of their nodes, level after level. */
  private static final byte[] EXIT = exits();

  private VectorStacks() {}

  private static byte[] exits() {
    byte[] exits = new byte[ANSWERS + 1];
    for (int answers = 0; answers <= ANSWERS; answers++) {
      int node = 0;
      while (node < EXITS - 1) {
        node = 2 * node + 1 + ((answers >> node) & 1);
      }
      exits[answers] = (byte) (node - (EXITS - 1));
    }
    return exits;
  }

  /**
   * The score after the trees of groups {@code [from, to)} have added to {@code sum}.
   *
   * @param ranks of 32 columns
   */
  static double add(
      byte[] ranks, byte[] tops, byte[] subtrees, double[] values, int from, int to, double sum) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector low = ByteVector.fromArray(HALF, ranks, 0);
    ByteVector high = ByteVector.fromArray(HALF, ranks, HALF_LANES);
    double total = sum;
    for (int group = from; group < to; group++) {
      int answers = answers(tops, group * TOPS, table);
      int tree = group * TREES * EXITS;
      total += values[leaf(low, high, subtrees, tree + EXIT[answers & ANSWERS])];
      total += values[leaf(low, high, subtrees, tree + 8 + EXIT[(answers >>> 8) & ANSWERS])];
      total += values[leaf(low, high, subtrees, tree + 16 + EXIT[(answers >>> 16) & ANSWERS])];
      total += values[leaf(low, high, subtrees, tree + 24 + EXIT[answers >>> 24])];
    }
    return total;
  }

  /** Writes the leaf of each tree in {@code [first, end)} to its place in {@code leaves}. */
  static void find(byte[] ranks, byte[] tops, byte[] subtrees, int first, int end, int[] leaves) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector low = ByteVector.fromArray(HALF, ranks, 0);
    ByteVector high = ByteVector.fromArray(HALF, ranks, HALF_LANES);
    for (int group = first / TREES; group * TREES < end; group++) {
      int answers = answers(tops, group * TOPS, table);
      int last = Math.min(end, group * TREES + TREES);
      for (int tree = Math.max(first, group * TREES); tree < last; tree++) {
        int subtree = tree * EXITS + EXIT[(answers >>> (tree * NODES)) & ANSWERS];
        leaves[tree] = leaf(low, high, subtrees, subtree);
      }
    }
  }

  /** The same with ranks of 64 columns. */
  static void findOfTwo(
      byte[] ranks, byte[] tops, byte[] subtrees, int first, int end, int[] leaves) {
    ByteVector table = ByteVector.fromArray(BYTES, ranks, 0);
    ByteVector second = ByteVector.fromArray(BYTES, ranks, RankLanes.TABLE);
    for (int group = first / TREES; group * TREES < end; group++) {
      int answers = answersOfTwo(tops, group * TOPS, table, second);
      int last = Math.min(end, group * TREES + TREES);
      for (int tree = Math.max(first, group * TREES); tree < last; tree++) {
        int subtree = tree * EXITS + EXIT[(answers >>> (tree * NODES)) & ANSWERS];
        leaves[tree] = leafOfTwo(ranks, subtrees, subtree);
      }
    }
  }

  private static int answers(byte[] tops, int at, ByteVector table) {
    return (int)
        ByteVector.fromArray(BYTES, tops, at)
            .selectFrom(table)
            .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, tops, at + TOPS / 2))
            .toLong();
  }

  private static int answersOfTwo(byte[] tops, int at, ByteVector first, ByteVector second) {
    ByteVector column = ByteVector.fromArray(BYTES, tops, at);
    return (int)
        column
            .selectFrom(first)
            .blend(column.selectFrom(second), column.compare(VectorOperators.LT, 0))
            .compare(VectorOperators.GT, ByteVector.fromArray(BYTES, tops, at + TOPS / 2))
            .toLong();
  }

  /** The leaf that a row ends in below a subtree, by the number of both. */
  private static int leaf(ByteVector low, ByteVector high, byte[] subtrees, int subtree) {
    ByteVector column = ByteVector.fromArray(HALF, subtrees, subtree * SUBTREE);
    ByteVector bound = ByteVector.fromArray(HALF, subtrees, subtree * SUBTREE + NODES);
    long answers =
        column
            .selectFrom(low)
            .blend(column.selectFrom(high), column.compare(VectorOperators.LT, 0))
            .compare(VectorOperators.GT, bound)
            .toLong();
    return subtree * EXITS + EXIT[(int) answers & ANSWERS_OF_SEVEN];
  }

  private static int leafOfTwo(byte[] ranks, byte[] subtrees, int subtree) {
    ByteVector column = ByteVector.fromArray(HALF, subtrees, subtree * SUBTREE);
    ByteVector bound = ByteVector.fromArray(HALF, subtrees, subtree * SUBTREE + NODES);
    VectorMask<Byte> upper = column.compare(VectorOperators.LT, 0);
    VectorMask<Byte> inFirst = column.and((byte) SECOND).compare(VectorOperators.EQ, 0);
    ByteVector first = ofTable(ranks, 0, column, upper);
    ByteVector second = ofTable(ranks, RankLanes.TABLE, column, upper);
    long answers = second.blend(first, inFirst).compare(VectorOperators.GT, bound).toLong();
    return subtree * EXITS + EXIT[(int) answers & ANSWERS_OF_SEVEN];
  }

  private static ByteVector ofTable(
      byte[] ranks, int table, ByteVector column, VectorMask<Byte> upper) {
    ByteVector low = ByteVector.fromArray(HALF, ranks, table);
    ByteVector high = ByteVector.fromArray(HALF, ranks, table + HALF_LANES);
    return column.selectFrom(low).blend(column.selectFrom(high), upper);
  }
}
