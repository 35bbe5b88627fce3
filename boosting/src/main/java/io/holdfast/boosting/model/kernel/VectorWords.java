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

  /** Bounds of a feature at most. */
  static final int BOUNDS = 255;

  /** Of the ranks. */
  static final int MIDDLE = 128;

  private VectorWords() {}

  /**
   * Finds the rows of a word that rank above each bound: those of bound b go to {@code masks[to + b
   * * words]}. For so few rows this beats setting bits and taking them in from above (64 rows of 30
   * features with 92 thresholds: 1.7 ns a row and feature against 2.3).
   *
   * @param ranks each less {@link #MIDDLE}, so that signed bytes have their order
   * @param from of the word's 64 ranks
   */
  static void above(byte[] ranks, int from, int bounds, long[] masks, int to, int words) {
    ByteVector rank = ByteVector.fromArray(BYTES, ranks, from);
    int at = to;
    for (int bound = 0; bound < bounds; bound++, at += words) {
      masks[at] = rank.compare(VectorOperators.GT, (byte) (bound - MIDDLE)).toLong();
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
