package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link VectorMasks256} does, by vectors of 512 bits: eight words at once. To be loaded only
 * where the incubator module is. Stateless.
 */
final class VectorMasks {
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_512;
  private static final VectorSpecies<Byte> QUARTER = ByteVector.SPECIES_128;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final int LANES = 16;
  private static final int WORDS = BlockScratch.WORDS;
  private static final int LOWER = 3; // bits
  private static final int AT_ONCE = VectorMasks256.AT_ONCE;

  private VectorMasks() {}

  /**
   * Writes ranks as bytes, shifted to the left as far as they go.
   *
   * @param rows rounded up to the next multiple of 16
   * @param levels bits of a rank; others may be set
   */
  static void pack(int[] ranks, int rows, int levels, byte[] packed) {
    int shift = Byte.SIZE - levels;
    for (int row = 0; row < rows; row += LANES) {
      ((ByteVector)
              IntVector.fromArray(INTS, ranks, row)
                  .lanewise(VectorOperators.LSHL, shift)
                  .convertShape(VectorOperators.I2B, QUARTER, 0))
          .intoArray(packed, row);
    }
  }

  /**
   * Writes bit p of every packed rank as plane p: word w at {@code planes[p * 8 + w]}.
   *
   * @param words of 64 rows
   */
  static void planes(byte[] packed, int words, int levels, long[] planes) {
    for (int word = 0; word < words; word++) {
      ByteVector rank = ByteVector.fromArray(BYTES, packed, word << 6);
      for (int at = (levels - 1) * WORDS + word; at >= 0; at -= WORDS) {
        planes[at] = rank.compare(VectorOperators.LT, (byte) 0).toLong();
        rank = rank.add(rank);
      }
    }
  }

  /**
   * Finds the rows that rank above each bound: those of bound b and word w go to {@code masks[to +
   * b * 8 + w]}.
   *
   * @param levels bits of a rank, at least 4
   * @param equal to be written to, as {@code above}
   */
  static void above(
      long[] planes, int levels, int bounds, long[] equal, long[] above, long[] masks, int to) {
    upper(planes, levels, equal, above);
    slots(planes, bounds, equal, above, masks, to);
  }

  /** The rows whose upper bits are equal to each number, and above it. */
  private static void upper(long[] planes, int levels, long[] equal, long[] above) {
    LongVector.broadcast(LONGS, -1).intoArray(equal, 0);
    LongVector.zero(LONGS).intoArray(above, 0);
    int numbers = 1;
    for (int p = levels - 1; p >= LOWER; p--, numbers *= 2) {
      LongVector plane = LongVector.fromArray(LONGS, planes, p * WORDS);
      for (int k = numbers - 1; k >= 0; k--) {
        LongVector same = LongVector.fromArray(LONGS, equal, k * WORDS);
        LongVector more = LongVector.fromArray(LONGS, above, k * WORDS);
        LongVector odd = same.and(plane);
        int to = 2 * k * WORDS;
        same.lanewise(VectorOperators.AND_NOT, plane).intoArray(equal, to);
        odd.intoArray(equal, to + WORDS);
        more.or(odd).intoArray(above, to);
        more.intoArray(above, to + WORDS);
      }
    }
  }

  private static void slots(
      long[] planes, int bounds, long[] equal, long[] above, long[] masks, int to) {
    LongVector one = LongVector.fromArray(LONGS, planes, 0);
    LongVector two = LongVector.fromArray(LONGS, planes, WORDS);
    LongVector above3 = LongVector.fromArray(LONGS, planes, 2 * WORDS);
    LongVector any = two.or(one);
    LongVector both = two.and(one);
    LongVector above0 = above3.or(any);
    LongVector above1 = above3.or(two);
    LongVector above2 = above3.or(both);
    LongVector above4 = above3.and(any);
    LongVector above5 = above3.and(two);
    LongVector above6 = above3.and(both);
    int at = to;
    for (int bound = 0; bound < bounds; bound += AT_ONCE, at += AT_ONCE * WORDS) {
      LongVector same = LongVector.fromArray(LONGS, equal, bound);
      LongVector more = LongVector.fromArray(LONGS, above, bound);
      more.or(same.and(above0)).intoArray(masks, at);
      more.or(same.and(above1)).intoArray(masks, at + WORDS);
      more.or(same.and(above2)).intoArray(masks, at + 2 * WORDS);
      more.or(same.and(above3)).intoArray(masks, at + 3 * WORDS);
      more.or(same.and(above4)).intoArray(masks, at + 4 * WORDS);
      more.or(same.and(above5)).intoArray(masks, at + 5 * WORDS);
      more.or(same.and(above6)).intoArray(masks, at + 6 * WORDS);
      more.intoArray(masks, at + 7 * WORDS);
    }
  }
}
