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
   * @param ranks each less {@link VectorRanks#MIDDLE}, so that signed bytes have their order
   */
  static void above(byte[] ranks, int bounds, long[] masks, int to, int words) {
    if (words == BlockScratch.WORDS) {
      above(ranks, 0, bounds, masks, to);
      above(ranks, BlockScratch.ROWS / 2, bounds, masks, to + BlockScratch.WORDS / 2);
      return;
    }
    for (int word = 0; word < words; word++) {
      above(ranks, word << 6, bounds, masks, to + word, words);
    }
  }

  private static void above(byte[] ranks, int from, int bounds, long[] masks, int to, int words) {
    ByteVector rank = ByteVector.fromArray(BYTES, ranks, from);
    int at = to;
    for (int bound = 0; bound < bounds; bound++, at += words) {
      masks[at] = rank.compare(VectorOperators.GT, (byte) (bound - VectorRanks.MIDDLE)).toLong();
    }
  }

  /** The same for half of eight words. */
  private static void above(byte[] ranks, int from, int bounds, long[] masks, int to) {
    ByteVector a = ByteVector.fromArray(BYTES, ranks, from);
    ByteVector b = ByteVector.fromArray(BYTES, ranks, from + 64);
    ByteVector c = ByteVector.fromArray(BYTES, ranks, from + 128);
    ByteVector d = ByteVector.fromArray(BYTES, ranks, from + 192);
    int at = to;
    for (int bound = 0; bound < bounds; bound++, at += BlockScratch.WORDS) {
      ByteVector limit = ByteVector.broadcast(BYTES, (byte) (bound - VectorRanks.MIDDLE));
      masks[at] = a.compare(VectorOperators.GT, limit).toLong();
      masks[at + 1] = b.compare(VectorOperators.GT, limit).toLong();
      masks[at + 2] = c.compare(VectorOperators.GT, limit).toLong();
      masks[at + 3] = d.compare(VectorOperators.GT, limit).toLong();
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
