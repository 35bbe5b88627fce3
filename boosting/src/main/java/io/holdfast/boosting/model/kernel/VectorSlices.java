package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link SlicedTrees} in vectors of 512 bits: eight words, or eight sums, at once. To
 * be loaded only where the incubator module is. Stateless.
 */
final class VectorSlices {
  /*
   * Every method is small, straight and static and calls none of ours with vectors: the compiler
   * keeps vectors in registers only within one compiled method, does not always inline, and gives up
   * on methods of many operations.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final int WORDS = BlockScratch.WORDS;
  private static final int QUARTER = 7 * WORDS; // 4 planes, 2 of joining, and all rows

  /** Where the labels of the second of two trees begin. */
  static final int SECOND = BlockScratch.PLANES * WORDS;

  /** Leaves of each of two trees at most. */
  static final int LEAVES_OF_TWO = 32;

  /** Leaves of a tree at most. */
  static final int LEAVES = 64;

  /** Longs that {@code planes} must have. */
  static final int PLANES_LENGTH = 4 * QUARTER;

  private static final LongVector BYTE_SHIFTS = LongVector.zero(LONGS).addIndex(8);

  private VectorSlices() {}

  /** Copies the slots of some bounds, and the rows where the feature is missing. */
  static void copy(int[] bounds, int from, int to, long[] masks, long[] missing) {
    LongVector more = LongVector.fromArray(LONGS, missing, 0);
    for (int k = 0; k < bounds.length; k++) {
      LongVector.fromArray(LONGS, masks, from + bounds[k] * WORDS)
          .or(more)
          .intoArray(masks, to + k * WORDS);
    }
  }

  /** Finds the rows that reach each leaf; leaves up to 16, 32 or 64 have none. */
  static void grow(int[] splits, int from, int leaves, long[] masks, long[] reach, int first) {
    int at = first * WORDS;
    LongVector.broadcast(LONGS, -1).intoArray(reach, at);
    for (int leaf = 1; leaf < leaves; leaf++) {
      int split = splits[from + leaf - 1];
      int old = at + (split & 0xFF) * WORDS;
      LongVector right = LongVector.fromArray(LONGS, masks, (split >>> 8) * WORDS);
      LongVector all = LongVector.fromArray(LONGS, reach, old);
      all.and(right).intoArray(reach, at + leaf * WORDS);
      all.lanewise(VectorOperators.AND_NOT, right).intoArray(reach, old);
    }
    LongVector none = LongVector.zero(LONGS);
    int padded = leaves > 32 ? 64 : leaves > 16 ? 32 : 16;
    for (int leaf = leaves; leaf < padded; leaf++) {
      none.intoArray(reach, at + leaf * WORDS);
    }
  }

  /** Writes the leaves of rows 8j + i of word w as bytes j of label {@code to + 8i + w}. */
  static void number(int leaves, long[] reach, int first, long[] planes, long[] labels, int to) {
    number16(reach, first, planes, 0);
    if (leaves > 16) {
      number16(reach, first + 16, planes, QUARTER);
      join(planes, 0, QUARTER, 4);
    }
    if (leaves > 32) {
      number16(reach, first + 32, planes, 2 * QUARTER);
      number16(reach, first + 48, planes, 3 * QUARTER);
      join(planes, 2 * QUARTER, 3 * QUARTER, 4);
      join(planes, 0, 2 * QUARTER, 5);
    }
    LongVector none = LongVector.zero(LONGS);
    for (int plane = leaves > 32 ? 6 : leaves > 16 ? 5 : 4; plane < 6; plane++) {
      none.intoArray(planes, plane * WORDS);
    }
    turnHalves(planes, labels, to);
    turnQuarters(labels, to);
    turnQuarters(labels, to + 4 * WORDS);
  }

  /** The number planes of 16 leaves, then all their rows: 5 vectors. */
  private static void number16(long[] reach, int from, long[] planes, int to) {
    LongVector one = LongVector.fromArray(LONGS, reach, (from + 1) * WORDS);
    LongVector three = LongVector.fromArray(LONGS, reach, (from + 3) * WORDS);
    LongVector five = LongVector.fromArray(LONGS, reach, (from + 5) * WORDS);
    LongVector seven = LongVector.fromArray(LONGS, reach, (from + 7) * WORDS);
    LongVector nine = LongVector.fromArray(LONGS, reach, (from + 9) * WORDS);
    LongVector eleven = LongVector.fromArray(LONGS, reach, (from + 11) * WORDS);
    LongVector thirteen = LongVector.fromArray(LONGS, reach, (from + 13) * WORDS);
    LongVector fifteen = LongVector.fromArray(LONGS, reach, (from + 15) * WORDS);
    LongVector odd = one.or(three).or(five.or(seven)).or(nine.or(eleven).or(thirteen.or(fifteen)));
    LongVector b = LongVector.fromArray(LONGS, reach, (from + 2) * WORDS).or(three);
    LongVector c = LongVector.fromArray(LONGS, reach, (from + 4) * WORDS).or(five);
    LongVector d = LongVector.fromArray(LONGS, reach, (from + 6) * WORDS).or(seven);
    LongVector e = LongVector.fromArray(LONGS, reach, (from + 8) * WORDS).or(nine);
    LongVector f = LongVector.fromArray(LONGS, reach, (from + 10) * WORDS).or(eleven);
    LongVector g = LongVector.fromArray(LONGS, reach, (from + 12) * WORDS).or(thirteen);
    LongVector h = LongVector.fromArray(LONGS, reach, (from + 14) * WORDS).or(fifteen);
    LongVector cd = c.or(d);
    LongVector gh = g.or(h);
    LongVector eight = e.or(f).or(gh);
    odd.intoArray(planes, to);
    b.or(d).or(f.or(h)).intoArray(planes, to + WORDS);
    cd.or(gh).intoArray(planes, to + 2 * WORDS);
    eight.intoArray(planes, to + 3 * WORDS);
    LongVector.fromArray(LONGS, reach, from * WORDS)
        .or(one)
        .or(b)
        .or(cd)
        .or(eight)
        .intoArray(planes, to + 4 * WORDS);
  }

  /** Puts two halves' planes together: the upper half's rows are the next plane. */
  private static void join(long[] planes, int low, int high, int count) {
    for (int plane = 0; plane < count; plane++) {
      LongVector lower = LongVector.fromArray(LONGS, planes, low + plane * WORDS);
      LongVector upper = LongVector.fromArray(LONGS, planes, high + plane * WORDS);
      lower.or(upper).intoArray(planes, low + plane * WORDS);
    }
    LongVector all = LongVector.fromArray(LONGS, planes, low + count * WORDS);
    LongVector upper = LongVector.fromArray(LONGS, planes, high + count * WORDS);
    upper.intoArray(planes, low + count * WORDS);
    all.or(upper).intoArray(planes, low + (count + 1) * WORDS);
  }

  /** Exchanges upper and lower halves of bytes; of the eight rows, the last two are 0. */
  private static void turnHalves(long[] planes, long[] labels, int at) {
    LongVector p0 = LongVector.fromArray(LONGS, planes, 0);
    LongVector p1 = LongVector.fromArray(LONGS, planes, WORDS);
    LongVector p2 = LongVector.fromArray(LONGS, planes, 2 * WORDS);
    LongVector p3 = LongVector.fromArray(LONGS, planes, 3 * WORDS);
    LongVector p4 = LongVector.fromArray(LONGS, planes, 4 * WORDS);
    LongVector p5 = LongVector.fromArray(LONGS, planes, 5 * WORDS);
    LongVector low = LongVector.broadcast(LONGS, 0x0F0F_0F0F_0F0F_0F0FL);
    p0.and(low).or(p4.and(low).lanewise(VectorOperators.LSHL, 4)).intoArray(labels, at);
    p1.and(low).or(p5.and(low).lanewise(VectorOperators.LSHL, 4)).intoArray(labels, at + WORDS);
    p2.and(low).intoArray(labels, at + 2 * WORDS);
    p3.and(low).intoArray(labels, at + 3 * WORDS);
    p0.lanewise(VectorOperators.LSHR, 4)
        .and(low)
        .or(p4.lanewise(VectorOperators.AND_NOT, low))
        .intoArray(labels, at + 4 * WORDS);
    p1.lanewise(VectorOperators.LSHR, 4)
        .and(low)
        .or(p5.lanewise(VectorOperators.AND_NOT, low))
        .intoArray(labels, at + 5 * WORDS);
    p2.lanewise(VectorOperators.LSHR, 4).and(low).intoArray(labels, at + 6 * WORDS);
    p3.lanewise(VectorOperators.LSHR, 4).and(low).intoArray(labels, at + 7 * WORDS);
  }

  /** Turns squares of 4 by 4 bits in four rows. */
  private static void turnQuarters(long[] labels, int at) {
    LongVector p0 = LongVector.fromArray(LONGS, labels, at);
    LongVector p1 = LongVector.fromArray(LONGS, labels, at + WORDS);
    LongVector p2 = LongVector.fromArray(LONGS, labels, at + 2 * WORDS);
    LongVector p3 = LongVector.fromArray(LONGS, labels, at + 3 * WORDS);
    LongVector two = LongVector.broadcast(LONGS, 0x3333_3333_3333_3333L);
    LongVector a = p0.and(two).or(p2.and(two).lanewise(VectorOperators.LSHL, 2));
    LongVector b = p1.and(two).or(p3.and(two).lanewise(VectorOperators.LSHL, 2));
    LongVector c =
        p0.lanewise(VectorOperators.LSHR, 2).and(two).or(p2.lanewise(VectorOperators.AND_NOT, two));
    LongVector d =
        p1.lanewise(VectorOperators.LSHR, 2).and(two).or(p3.lanewise(VectorOperators.AND_NOT, two));
    LongVector one = LongVector.broadcast(LONGS, 0x5555_5555_5555_5555L);
    a.and(one).or(b.and(one).lanewise(VectorOperators.LSHL, 1)).intoArray(labels, at);
    a.lanewise(VectorOperators.LSHR, 1)
        .and(one)
        .or(b.lanewise(VectorOperators.AND_NOT, one))
        .intoArray(labels, at + WORDS);
    c.and(one).or(d.and(one).lanewise(VectorOperators.LSHL, 1)).intoArray(labels, at + 2 * WORDS);
    c.lanewise(VectorOperators.LSHR, 1)
        .and(one)
        .or(d.lanewise(VectorOperators.AND_NOT, one))
        .intoArray(labels, at + 3 * WORDS);
  }

  /**
   * Adds leaf values to sums. Label k of {@code count} holds the leaves of the 8 rows whose sums
   * begin at {@code sum + k * 8}.
   */
  static void add(
      int leaves, double[] values, int first, long[] labels, double[] sums, int sum, int count) {
    if (leaves <= 16) {
      add16(values, first, labels, 0, count, sums, sum);
    } else if (leaves <= 32) {
      add32(values, first, labels, 0, count, sums, sum);
    } else {
      add64(values, first, labels, 0, count, sums, sum);
    }
  }

  /** The same for the first 64 sums and labels from {@code at} on. */
  static void addToWord(
      int leaves, double[] values, int first, long[] labels, int at, double[] sums) {
    if (leaves <= 16) {
      add16(values, first, labels, at, WORDS, sums, 0);
    } else if (leaves <= 32) {
      add32(values, first, labels, at, WORDS, sums, 0);
    } else {
      add64(values, first, labels, at, WORDS, sums, 0);
    }
  }

  private static void add16(
      double[] values, int first, long[] labels, int at, int count, double[] sums, int sum) {
    LongVector a = DoubleVector.fromArray(DOUBLES, values, first).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, values, first + 8).reinterpretAsLongs();
    for (int k = 0; k < count; k++) {
      LongVector leaf =
          LongVector.broadcast(LONGS, labels[at + k]).lanewise(VectorOperators.LSHR, BYTE_SHIFTS);
      DoubleVector value = leaf.and(15).selectFrom(a, b).reinterpretAsDoubles();
      DoubleVector.fromArray(DOUBLES, sums, sum + k * 8).add(value).intoArray(sums, sum + k * 8);
    }
  }

  private static void add32(
      double[] values, int first, long[] labels, int at, int count, double[] sums, int sum) {
    LongVector a = DoubleVector.fromArray(DOUBLES, values, first).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, values, first + 8).reinterpretAsLongs();
    LongVector c = DoubleVector.fromArray(DOUBLES, values, first + 16).reinterpretAsLongs();
    LongVector d = DoubleVector.fromArray(DOUBLES, values, first + 24).reinterpretAsLongs();
    for (int k = 0; k < count; k++) {
      LongVector leaf =
          LongVector.broadcast(LONGS, labels[at + k]).lanewise(VectorOperators.LSHR, BYTE_SHIFTS);
      LongVector place = leaf.and(15);
      VectorMask<Long> upper = leaf.and(16).compare(VectorOperators.NE, 0);
      DoubleVector value =
          place.selectFrom(a, b).blend(place.selectFrom(c, d), upper).reinterpretAsDoubles();
      DoubleVector.fromArray(DOUBLES, sums, sum + k * 8).add(value).intoArray(sums, sum + k * 8);
    }
  }

  private static void add64(
      double[] values, int first, long[] labels, int at, int count, double[] sums, int sum) {
    LongVector a = DoubleVector.fromArray(DOUBLES, values, first).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, values, first + 8).reinterpretAsLongs();
    LongVector c = DoubleVector.fromArray(DOUBLES, values, first + 16).reinterpretAsLongs();
    LongVector d = DoubleVector.fromArray(DOUBLES, values, first + 24).reinterpretAsLongs();
    LongVector e = DoubleVector.fromArray(DOUBLES, values, first + 32).reinterpretAsLongs();
    LongVector f = DoubleVector.fromArray(DOUBLES, values, first + 40).reinterpretAsLongs();
    LongVector g = DoubleVector.fromArray(DOUBLES, values, first + 48).reinterpretAsLongs();
    LongVector h = DoubleVector.fromArray(DOUBLES, values, first + 56).reinterpretAsLongs();
    for (int k = 0; k < count; k++) {
      LongVector leaf =
          LongVector.broadcast(LONGS, labels[at + k]).lanewise(VectorOperators.LSHR, BYTE_SHIFTS);
      LongVector place = leaf.and(15);
      VectorMask<Long> odd = leaf.and(16).compare(VectorOperators.NE, 0);
      VectorMask<Long> upper = leaf.and(32).compare(VectorOperators.NE, 0);
      LongVector low = place.selectFrom(a, b).blend(place.selectFrom(c, d), odd);
      LongVector high = place.selectFrom(e, f).blend(place.selectFrom(g, h), odd);
      DoubleVector value = low.blend(high, upper).reinterpretAsDoubles();
      DoubleVector.fromArray(DOUBLES, sums, sum + k * 8).add(value).intoArray(sums, sum + k * 8);
    }
  }

  /** Adds leaf values of two trees, of up to 32 leaves each, one after the other. */
  static void addTwo(
      double[] values, int first, int second, long[] labels, double[] sums, int sum, int count) {
    LongVector a = DoubleVector.fromArray(DOUBLES, values, first).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, values, first + 8).reinterpretAsLongs();
    LongVector c = DoubleVector.fromArray(DOUBLES, values, first + 16).reinterpretAsLongs();
    LongVector d = DoubleVector.fromArray(DOUBLES, values, first + 24).reinterpretAsLongs();
    LongVector e = DoubleVector.fromArray(DOUBLES, values, second).reinterpretAsLongs();
    LongVector f = DoubleVector.fromArray(DOUBLES, values, second + 8).reinterpretAsLongs();
    LongVector g = DoubleVector.fromArray(DOUBLES, values, second + 16).reinterpretAsLongs();
    LongVector h = DoubleVector.fromArray(DOUBLES, values, second + 24).reinterpretAsLongs();
    for (int k = 0; k < count; k++) {
      LongVector leaf =
          LongVector.broadcast(LONGS, labels[k]).lanewise(VectorOperators.LSHR, BYTE_SHIFTS);
      LongVector place = leaf.and(15);
      VectorMask<Long> upper = leaf.and(16).compare(VectorOperators.NE, 0);
      DoubleVector value =
          place.selectFrom(a, b).blend(place.selectFrom(c, d), upper).reinterpretAsDoubles();
      leaf =
          LongVector.broadcast(LONGS, labels[SECOND + k])
              .lanewise(VectorOperators.LSHR, BYTE_SHIFTS);
      place = leaf.and(15);
      upper = leaf.and(16).compare(VectorOperators.NE, 0);
      DoubleVector next =
          place.selectFrom(e, f).blend(place.selectFrom(g, h), upper).reinterpretAsDoubles();
      DoubleVector.fromArray(DOUBLES, sums, sum + k * 8)
          .add(value)
          .add(next)
          .intoArray(sums, sum + k * 8);
    }
  }
}
