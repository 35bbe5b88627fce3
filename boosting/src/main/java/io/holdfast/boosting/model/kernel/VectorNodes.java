package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link NodeTable} in vectors of 512 bits: all nodes of a tree at once. To be loaded
 * only where the incubator module is. Stateless.
 */
final class VectorNodes {
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final int LANES = NodeTable.NODES;

  private VectorNodes() {}

  /** Writes the leaf that each of trees {@code [from, to)} sends a row to, by its path. */
  static void byPath(short[] ranks, NodeTable table, int from, int to, int[] reached) {
    short[] column = table.column;
    short[] bound = table.bound;
    int[] asked = table.asked;
    int[] right = table.right;
    int[] start = table.start;
    ShortVector low = ShortVector.fromArray(SHORTS, ranks, 0);
    ShortVector high = ShortVector.fromArray(SHORTS, ranks, LANES);
    for (int tree = from; tree < to; tree++) {
      int at = start[tree];
      ShortVector rank = ShortVector.fromArray(SHORTS, column, at).selectFrom(low, high);
      long answers =
          rank.compare(VectorOperators.GT, ShortVector.fromArray(SHORTS, bound, at)).toLong();
      IntVector all = IntVector.broadcast(INTS, (int) answers);
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

  /** The same for trees of at most six levels, laid out as full ones, by walking the answers. */
  static void byLevel(short[] ranks, NodeTable table, int from, int to, int[] reached) {
    short[] column = table.column;
    short[] bound = table.bound;
    int[] start = table.start;
    ShortVector low = ShortVector.fromArray(SHORTS, ranks, 0);
    ShortVector high = ShortVector.fromArray(SHORTS, ranks, LANES);
    for (int tree = from; tree < to; tree++) {
      int at = start[tree];
      ShortVector upper = ShortVector.fromArray(SHORTS, column, at).selectFrom(low, high);
      ShortVector lower = ShortVector.fromArray(SHORTS, column, at + LANES).selectFrom(low, high);
      long answers =
          upper.compare(VectorOperators.GT, ShortVector.fromArray(SHORTS, bound, at)).toLong()
              | lower
                      .compare(VectorOperators.GT, ShortVector.fromArray(SHORTS, bound, at + LANES))
                      .toLong()
                  << LANES;
      int node = 2 + (int) (answers >>> 1 & 1);
      node = 2 * node + (int) (answers >>> node & 1);
      node = 2 * node + (int) (answers >>> node & 1);
      node = 2 * node + (int) (answers >>> node & 1);
      node = 2 * node + (int) (answers >>> node & 1);
      node = 2 * node + (int) (answers >>> node & 1);
      reached[tree] = node - 64;
    }
  }
}
