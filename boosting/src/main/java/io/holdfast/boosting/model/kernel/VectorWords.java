package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link VectorSlices} does for eight words of rows, where there are one or two: 64 rows of
 * one word are the lanes. To be loaded only where the incubator module is. Stateless.
 */
final class VectorWords {
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;

  private VectorWords() {}

  /**
   * Finds the rows that rank above each bound: those of bound b and word w go to {@code masks[to +
   * b * words + w]}.
   *
   * @param packed ranks, shifted to the left as far as they go
   * @param levels bits of a rank
   */
  static void above(byte[] packed, int levels, int bounds, long[] masks, int to, int words) {
    for (int word = 0; word < words; word++) {
      above(packed, word << 6, levels, bounds, masks, to + word, words);
    }
  }

  private static void above(
      byte[] packed, int from, int levels, int bounds, long[] masks, int to, int words) {
    // Less half of what bytes count, so that signed ones have the order of ranks.
    ByteVector rank =
        ByteVector.fromArray(BYTES, packed, from).lanewise(VectorOperators.XOR, Byte.MIN_VALUE);
    int step = 1 << (Byte.SIZE - levels);
    int least = Byte.MIN_VALUE;
    int at = to;
    for (int bound = 0; bound < bounds; bound++, at += words, least += step) {
      masks[at] = rank.compare(VectorOperators.GT, (byte) least).toLong();
    }
  }

  /**
   * Finds the leaf of each of a word's rows as {@link SlicedTrees} does, and puts its number into a
   * lane of bytes with each split: the leaf of row 8k + j is byte j of label k.
   *
   * @param words that masks are apart
   */
  static void grow(
      int[] splits, int from, int leaves, long[] masks, int word, int words, BlockScratch scratch) {
    long[] reach = scratch.reach;
    ByteVector number = ByteVector.zero(BYTES);
    reach[0] = -1;
    for (int leaf = 1; leaf < leaves; leaf++) {
      int split = splits[from + leaf - 1];
      long right = masks[(split >>> 8) * words + word];
      int old = split & 0xFF;
      long all = reach[old];
      long moved = all & right;
      reach[leaf] = moved;
      reach[old] = all & ~right;
      number = number.blend((byte) leaf, VectorMask.fromLong(BYTES, moved));
    }
    number.reinterpretAsLongs().intoArray(scratch.labels, 0);
  }
}
