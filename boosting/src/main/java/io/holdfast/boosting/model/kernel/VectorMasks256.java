package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The rows that rank above each of a feature's bounds, by vectors of 256 bits. To be loaded only
 * where the incubator module is. Stateless.
 */
final class VectorMasks256 {
  /*
   * Ranks are turned into bit planes first: plane p has bit p of every row's rank. "Above bound b" is
   * then a matter of AND and OR: the upper bits of the rank are above those of b, or equal to them
   * and the lower three bits above its lower three. The former two are the same for eight bounds in
   * turn, and the latter for every eighth one, so a bound costs an AND and an OR for 256 rows, where
   * comparing ranks to it costs eight comparisons, each of which must be made bits.
   */
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_256;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_256;
  private static final int WORDS = BlockScratch.WORDS;
  private static final int LOWER = 3; // bits

  /** Bounds that are written at once: so many slots behind the last one may be written, too. */
  static final int AT_ONCE = 1 << LOWER;

  /** Longs that {@code above} needs for what the upper bits are. */
  static final int UPPER_LENGTH = WORDS << (BlockScratch.PLANES - LOWER);

  /** Puts bytes in order, where those of rows k, k + 8, k + 16 and k + 24 are together. */
  private static final VectorShuffle<Byte> IN_ORDER =
      VectorShuffle.fromOp(BYTES, row -> (row & 7) << 2 | row >> 3);

  /** The first lanes of four. */
  private static final LongVector FIRST = lanes(1);

  private static final LongVector FIRST_TWO = lanes(2);
  private static final LongVector FIRST_THREE = lanes(3);

  private VectorMasks256() {}

  private static LongVector lanes(int count) {
    return LongVector.zero(LONGS).blend(-1, LONGS.indexInRange(0, count));
  }

  /**
   * Writes ranks as bytes, shifted to the left as far as they go.
   *
   * @param rows a multiple of 32
   * @param levels bits of a rank; others may be set
   */
  static void pack(int[] ranks, int rows, int levels, byte[] packed) {
    int shift = Byte.SIZE - levels;
    for (int row = 0; row < rows; row += 32) {
      IntVector a = IntVector.fromArray(INTS, ranks, row).lanewise(VectorOperators.LSHL, shift);
      IntVector b =
          IntVector.fromArray(INTS, ranks, row + 8).lanewise(VectorOperators.LSHL, shift + 8);
      IntVector c =
          IntVector.fromArray(INTS, ranks, row + 16).lanewise(VectorOperators.LSHL, shift + 16);
      IntVector d =
          IntVector.fromArray(INTS, ranks, row + 24).lanewise(VectorOperators.LSHL, shift + 24);
      a.and(0xFF)
          .or(b.and(0xFF00))
          .or(c.and(0xFF_0000))
          .or(d)
          .reinterpretAsBytes()
          .rearrange(IN_ORDER)
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
      ByteVector low = ByteVector.fromArray(BYTES, packed, word << 6);
      ByteVector high = ByteVector.fromArray(BYTES, packed, (word << 6) + 32);
      for (int at = (levels - 1) * WORDS + word; at >= 0; at -= WORDS) {
        planes[at] =
            low.compare(VectorOperators.LT, (byte) 0).toLong()
                | high.compare(VectorOperators.LT, (byte) 0).toLong() << 32;
        low = low.add(low);
        high = high.add(high);
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
    upper(planes, levels, 0, equal, above);
    upper(planes, levels, WORDS / 2, equal, above);
    slots(planes, bounds, 0, equal, above, masks, to);
    slots(planes, bounds, WORDS / 2, equal, above, masks, to);
  }

  /** The rows whose upper bits are equal to each number, and above it, of half of eight words. */
  private static void upper(long[] planes, int levels, int half, long[] equal, long[] above) {
    LongVector.broadcast(LONGS, -1).intoArray(equal, half);
    LongVector.zero(LONGS).intoArray(above, half);
    int numbers = 1;
    for (int p = levels - 1; p >= LOWER; p--, numbers *= 2) {
      LongVector plane = LongVector.fromArray(LONGS, planes, p * WORDS + half);
      for (int k = numbers - 1; k >= 0; k--) {
        LongVector same = LongVector.fromArray(LONGS, equal, k * WORDS + half);
        LongVector more = LongVector.fromArray(LONGS, above, k * WORDS + half);
        LongVector odd = same.and(plane);
        int to = 2 * k * WORDS + half;
        same.lanewise(VectorOperators.AND_NOT, plane).intoArray(equal, to);
        odd.intoArray(equal, to + WORDS);
        more.or(odd).intoArray(above, to);
        more.intoArray(above, to + WORDS);
      }
    }
  }

  private static void slots(
      long[] planes, int bounds, int half, long[] equal, long[] above, long[] masks, int to) {
    LongVector one = LongVector.fromArray(LONGS, planes, half);
    LongVector two = LongVector.fromArray(LONGS, planes, WORDS + half);
    LongVector above3 = LongVector.fromArray(LONGS, planes, 2 * WORDS + half);
    LongVector any = two.or(one);
    LongVector both = two.and(one);
    LongVector above0 = above3.or(any);
    LongVector above1 = above3.or(two);
    LongVector above2 = above3.or(both);
    LongVector above4 = above3.and(any);
    LongVector above5 = above3.and(two);
    LongVector above6 = above3.and(both);
    int at = to + half;
    for (int bound = 0; bound < bounds; bound += AT_ONCE, at += AT_ONCE * WORDS) {
      LongVector same = LongVector.fromArray(LONGS, equal, bound + half);
      LongVector more = LongVector.fromArray(LONGS, above, bound + half);
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

  /** {@link #above} for one word: four bounds are a vector. */
  static void aboveOfWord(
      long[] planes, int levels, int bounds, long[] equal, long[] above, long[] masks, int to) {
    equal[0] = -1;
    above[0] = 0;
    int numbers = 1;
    for (int p = levels - 1; p >= LOWER; p--, numbers *= 2) {
      long plane = planes[p * WORDS];
      for (int k = numbers - 1; k >= 0; k--) {
        long same = equal[k];
        long more = above[k];
        equal[2 * k] = same & ~plane;
        equal[2 * k + 1] = same & plane;
        above[2 * k] = more | (same & plane);
        above[2 * k + 1] = more;
      }
    }
    slotsOfWord(planes, bounds, equal, above, masks, to);
  }

  private static void slotsOfWord(
      long[] planes, int bounds, long[] equal, long[] above, long[] masks, int to) {
    LongVector one = LongVector.broadcast(LONGS, planes[0]);
    LongVector two = LongVector.broadcast(LONGS, planes[WORDS]);
    LongVector four = LongVector.broadcast(LONGS, planes[2 * WORDS]);
    // Above 0, 1, 2 and 3: one | two, two, one & two, nothing.
    LongVector lower = two.and(one.or(FIRST_TWO)).and(FIRST_THREE).or(one.and(FIRST));
    LongVector first = four.or(lower);
    LongVector second = four.and(lower);
    int at = to;
    for (int bound = 0; bound < bounds; bound += AT_ONCE, at += AT_ONCE) {
      LongVector same = LongVector.broadcast(LONGS, equal[bound >> LOWER]);
      LongVector more = LongVector.broadcast(LONGS, above[bound >> LOWER]);
      more.or(same.and(first)).intoArray(masks, at);
      more.or(same.and(second)).intoArray(masks, at + 4);
    }
  }

  /** Copies the slots of some bounds, and the rows where the feature is missing; eight words. */
  static void copy(int[] bounds, int from, int to, long[] masks, long[] missing) {
    LongVector more = LongVector.fromArray(LONGS, missing, 0);
    LongVector second = LongVector.fromArray(LONGS, missing, 4);
    for (int k = 0; k < bounds.length; k++) {
      int source = from + bounds[k] * WORDS;
      int target = to + k * WORDS;
      LongVector.fromArray(LONGS, masks, source).or(more).intoArray(masks, target);
      LongVector.fromArray(LONGS, masks, source + 4).or(second).intoArray(masks, target + 4);
    }
  }
}
