package io.holdfast.boosting.scoring;

import static jdk.incubator.vector.VectorOperators.AND_NOT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link BitSlicedTrees} by vectors of the preferred width: four or eight words at
 * once. To be loaded only where the incubator module is. Stateless.
 */
final class VectorSlices {
  /*
   * The eight words are those of 512 rows, or of 64 rows in eight trees. Where a vector has four, they
   * are done in two parts.
   *
   * Every method is small, straight and static and calls none of ours with vectors: the compiler keeps
   * vectors in registers only within one compiled method, does not always inline, and gives up on large
   * methods.
   */
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final int WORDS = BlockScratch.WORDS;
  private static final int PART = LONGS.length();
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final int LOWER = 3; // bits of a bound
  private static final int QUARTER = 7 * WORDS; // 4 planes, 2 of joining, and all rows

  private VectorSlices() {}

  /**
   * Finds the rows that rank above each bound: those of bound b and word w go to {@code masks[to +
   * b * words + w]}; up to seven bounds behind the last may be written, too.
   *
   * <p>Plane p has bit p of every row's rank. A rank is above a bound if its upper bits are above
   * those of the bound, or equal to them and the lower three bits above its lower three. The upper
   * bits are the same for eight bounds in turn, the lower ones for every eighth.
   *
   * @param words one or eight
   * @param bounds at most 255
   */
  static void above(int words, int bounds, BlockScratch scratch, int to) {
    int levels = Math.max(LOWER + 1, Integer.SIZE - Integer.numberOfLeadingZeros(bounds));
    int shift = Byte.SIZE - levels;
    int[] ranks = scratch.ranks;
    byte[] bytes = scratch.bytes;
    for (int row = 0; row < words * Long.SIZE; row++) {
      bytes[row] = (byte) (ranks[row] << shift);
    }
    planes(bytes, words, levels, scratch.planes);
    if (words == 1) {
      upperOfWord(scratch.planes, levels, scratch.equal, scratch.above);
      slotsOfWord(scratch.planes, bounds, scratch.equal, scratch.above, scratch.masks, to);
      return;
    }
    for (int part = 0; part < WORDS; part += PART) {
      upper(scratch.planes, levels, part, scratch.equal, scratch.above);
      slots(scratch.planes, bounds, part, scratch.equal, scratch.above, scratch.masks, to);
    }
  }

  private static void planes(byte[] packed, int words, int levels, long[] planes) {
    for (int from = 0; from < words * Long.SIZE; from += BYTES.length()) {
      boolean first = from % Long.SIZE == 0;
      ByteVector rank = ByteVector.fromArray(BYTES, packed, from);
      for (int at = (levels - 1) * WORDS + from / Long.SIZE; at >= 0; at -= WORDS) {
        long bits = rank.compare(LT, (byte) 0).toLong() << from;
        planes[at] = first ? bits : planes[at] | bits;
        rank = rank.add(rank);
      }
    }
  }

  /** The rows whose upper bits are equal to, and above, each number. */
  private static void upper(long[] planes, int levels, int part, long[] equal, long[] above) {
    LongVector.broadcast(LONGS, -1).intoArray(equal, part);
    LongVector.zero(LONGS).intoArray(above, part);
    int numbers = 1;
    for (int p = levels - 1; p >= LOWER; p--, numbers *= 2) {
      LongVector plane = LongVector.fromArray(LONGS, planes, p * WORDS + part);
      for (int k = numbers - 1; k >= 0; k--) {
        LongVector same = LongVector.fromArray(LONGS, equal, k * WORDS + part);
        LongVector more = LongVector.fromArray(LONGS, above, k * WORDS + part);
        LongVector odd = same.and(plane);
        int to = 2 * k * WORDS + part;
        same.lanewise(AND_NOT, plane).intoArray(equal, to);
        odd.intoArray(equal, to + WORDS);
        more.or(odd).intoArray(above, to);
        more.intoArray(above, to + WORDS);
      }
    }
  }

  private static void slots(
      long[] planes, int bounds, int part, long[] equal, long[] above, long[] masks, int to) {
    LongVector one = LongVector.fromArray(LONGS, planes, part);
    LongVector two = LongVector.fromArray(LONGS, planes, WORDS + part);
    LongVector four = LongVector.fromArray(LONGS, planes, 2 * WORDS + part);
    LongVector any = two.or(one);
    LongVector both = two.and(one);
    LongVector above0 = four.or(any);
    LongVector above1 = four.or(two);
    LongVector above2 = four.or(both);
    LongVector above4 = four.and(any);
    LongVector above5 = four.and(two);
    LongVector above6 = four.and(both);
    int at = to + part;
    for (int bound = 0; bound < bounds; bound += WORDS, at += WORDS * WORDS) {
      LongVector same = LongVector.fromArray(LONGS, equal, bound + part);
      LongVector more = LongVector.fromArray(LONGS, above, bound + part);
      more.or(same.and(above0)).intoArray(masks, at);
      more.or(same.and(above1)).intoArray(masks, at + WORDS);
      more.or(same.and(above2)).intoArray(masks, at + 2 * WORDS);
      more.or(same.and(four)).intoArray(masks, at + 3 * WORDS);
      more.or(same.and(above4)).intoArray(masks, at + 4 * WORDS);
      more.or(same.and(above5)).intoArray(masks, at + 5 * WORDS);
      more.or(same.and(above6)).intoArray(masks, at + 6 * WORDS);
      more.intoArray(masks, at + 7 * WORDS);
    }
  }

  private static void upperOfWord(long[] planes, int levels, long[] equal, long[] above) {
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
  }

  private static void slotsOfWord(
      long[] planes, int bounds, long[] equal, long[] above, long[] masks, int to) {
    long one = planes[0];
    long two = planes[WORDS];
    long four = planes[2 * WORDS];
    int at = to;
    for (int bound = 0; bound < bounds; bound += WORDS, at += WORDS) {
      long same = equal[bound >> LOWER];
      long more = above[bound >> LOWER];
      masks[at] = more | (same & (four | two | one));
      masks[at + 1] = more | (same & (four | two));
      masks[at + 2] = more | (same & (four | (two & one)));
      masks[at + 3] = more | (same & four);
      masks[at + 4] = more | (same & four & (two | one));
      masks[at + 5] = more | (same & four & two);
      masks[at + 6] = more | (same & four & two & one);
      masks[at + 7] = more;
    }
  }

  /** Finds the rows that reach each leaf; leaves up to 16, 32 or 64 have none. */
  static void grow(int[] splits, int from, int leaves, long[] masks, long[] reach) {
    for (int part = 0; part < WORDS; part += PART) {
      growPart(splits, from, leaves, masks, reach, part);
    }
    clear(reach, leaves, padded(leaves));
  }

  private static void growPart(
      int[] splits, int from, int leaves, long[] masks, long[] reach, int part) {
    LongVector.broadcast(LONGS, -1).intoArray(reach, part);
    for (int leaf = 1; leaf < leaves; leaf++) {
      int split = splits[from + leaf - 1];
      int old = (split & 0xFF) * WORDS + part;
      LongVector right = LongVector.fromArray(LONGS, masks, (split >>> 8) * WORDS + part);
      LongVector all = LongVector.fromArray(LONGS, reach, old);
      all.and(right).intoArray(reach, leaf * WORDS + part);
      all.lanewise(AND_NOT, right).intoArray(reach, old);
    }
  }

  private static int padded(int leaves) {
    return leaves > 32 ? 64 : leaves > 16 ? 32 : 16;
  }

  /** Takes all rows off leaves {@code [first, end)}. */
  private static void clear(long[] reach, int first, int end) {
    LongVector none = LongVector.zero(LONGS);
    for (int at = first * WORDS; at < end * WORDS; at += PART) {
      none.intoArray(reach, at);
    }
  }

  /** Takes all rows off the leaves of eight trees. */
  static void clear(long[] reach, int leaves) {
    clear(reach, 0, padded(leaves));
  }

  /** Finds the rows of one word that reach each leaf of one of eight trees. */
  static void growWord(int[] splits, int from, int leaves, long[] masks, long[] reach, int tree) {
    reach[tree] = -1;
    int to = tree + WORDS;
    for (int leaf = 1; leaf < leaves; leaf++, to += WORDS) {
      int split = splits[from + leaf - 1];
      int old = (split & 0xFF) * WORDS + tree;
      long all = reach[old];
      long moved = all & masks[split >>> 8];
      reach[to] = moved;
      reach[old] = all ^ moved;
    }
  }

  /** Writes the leaf of row 8j + i of word w as byte j of {@code labels[to + 8i + w]}. */
  static void number(int leaves, long[] reach, long[] planes, long[] labels, int to) {
    for (int part = 0; part < WORDS; part += PART) {
      numberPart(leaves, reach, part, planes, labels, to + part);
    }
  }

  private static void numberPart(
      int leaves, long[] reach, int first, long[] planes, long[] labels, int to) {
    number16(reach, first, planes, 0);
    if (leaves > 16) {
      number16(reach, first + 16 * WORDS, planes, QUARTER);
      join(planes, 0, QUARTER, 4);
    }
    if (leaves > 32) {
      number16(reach, first + 32 * WORDS, planes, 2 * QUARTER);
      number16(reach, first + 48 * WORDS, planes, 3 * QUARTER);
      join(planes, 2 * QUARTER, 3 * QUARTER, 4);
      join(planes, 0, 2 * QUARTER, 5);
    }
    LongVector none = LongVector.zero(LONGS);
    for (int plane = leaves > 32 ? 6 : leaves > 16 ? 5 : 4; plane < 6; plane++) {
      none.intoArray(planes, plane * WORDS);
    }
    turnHalves(planes);
    turnQuarters(planes, 0, labels, to);
    turnQuarters(planes, 4 * WORDS, labels, to + 4 * WORDS);
  }

  /** The number planes of 16 leaves, then all their rows: 5 vectors. */
  private static void number16(long[] reach, int from, long[] planes, int to) {
    LongVector one = LongVector.fromArray(LONGS, reach, from + WORDS);
    LongVector three = LongVector.fromArray(LONGS, reach, from + 3 * WORDS);
    LongVector five = LongVector.fromArray(LONGS, reach, from + 5 * WORDS);
    LongVector seven = LongVector.fromArray(LONGS, reach, from + 7 * WORDS);
    LongVector b = LongVector.fromArray(LONGS, reach, from + 2 * WORDS).or(three);
    LongVector c = LongVector.fromArray(LONGS, reach, from + 4 * WORDS).or(five);
    LongVector d = LongVector.fromArray(LONGS, reach, from + 6 * WORDS).or(seven);
    LongVector odd = one.or(three).or(five.or(seven));
    LongVector bd = b.or(d);
    LongVector cd = c.or(d);
    LongVector low = LongVector.fromArray(LONGS, reach, from).or(one).or(b).or(cd);
    LongVector nine = LongVector.fromArray(LONGS, reach, from + 9 * WORDS);
    LongVector eleven = LongVector.fromArray(LONGS, reach, from + 11 * WORDS);
    LongVector thirteen = LongVector.fromArray(LONGS, reach, from + 13 * WORDS);
    LongVector fifteen = LongVector.fromArray(LONGS, reach, from + 15 * WORDS);
    odd.or(nine.or(eleven).or(thirteen.or(fifteen))).intoArray(planes, to);
    LongVector e = LongVector.fromArray(LONGS, reach, from + 8 * WORDS).or(nine);
    LongVector f = LongVector.fromArray(LONGS, reach, from + 10 * WORDS).or(eleven);
    LongVector g = LongVector.fromArray(LONGS, reach, from + 12 * WORDS).or(thirteen);
    LongVector h = LongVector.fromArray(LONGS, reach, from + 14 * WORDS).or(fifteen);
    LongVector gh = g.or(h);
    LongVector eight = e.or(f).or(gh);
    bd.or(f.or(h)).intoArray(planes, to + WORDS);
    cd.or(gh).intoArray(planes, to + 2 * WORDS);
    eight.intoArray(planes, to + 3 * WORDS);
    low.or(eight).intoArray(planes, to + 4 * WORDS);
  }

  /** Joins the planes of two halves: the rows of the upper half are the next plane. */
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

  /** Exchanges halves of bytes; of the eight planes, the last two are 0. */
  private static void turnHalves(long[] planes) {
    LongVector p0 = LongVector.fromArray(LONGS, planes, 0);
    LongVector p1 = LongVector.fromArray(LONGS, planes, WORDS);
    LongVector p2 = LongVector.fromArray(LONGS, planes, 2 * WORDS);
    LongVector p3 = LongVector.fromArray(LONGS, planes, 3 * WORDS);
    LongVector p4 = LongVector.fromArray(LONGS, planes, 4 * WORDS);
    LongVector p5 = LongVector.fromArray(LONGS, planes, 5 * WORDS);
    LongVector low = LongVector.broadcast(LONGS, 0x0F0F_0F0F_0F0F_0F0FL);
    p0.and(low).or(p4.and(low).lanewise(LSHL, 4)).intoArray(planes, 0);
    p1.and(low).or(p5.and(low).lanewise(LSHL, 4)).intoArray(planes, WORDS);
    p2.and(low).intoArray(planes, 2 * WORDS);
    p3.and(low).intoArray(planes, 3 * WORDS);
    p0.lanewise(LSHR, 4).and(low).or(p4.lanewise(AND_NOT, low)).intoArray(planes, 4 * WORDS);
    p1.lanewise(LSHR, 4).and(low).or(p5.lanewise(AND_NOT, low)).intoArray(planes, 5 * WORDS);
    p2.lanewise(LSHR, 4).and(low).intoArray(planes, 6 * WORDS);
    p3.lanewise(LSHR, 4).and(low).intoArray(planes, 7 * WORDS);
  }

  /** Transposes squares of 4 by 4 bits in four planes, which are bytes then. */
  private static void turnQuarters(long[] planes, int at, long[] labels, int to) {
    LongVector p0 = LongVector.fromArray(LONGS, planes, at);
    LongVector p1 = LongVector.fromArray(LONGS, planes, at + WORDS);
    LongVector p2 = LongVector.fromArray(LONGS, planes, at + 2 * WORDS);
    LongVector p3 = LongVector.fromArray(LONGS, planes, at + 3 * WORDS);
    LongVector two = LongVector.broadcast(LONGS, 0x3333_3333_3333_3333L);
    LongVector a = p0.and(two).or(p2.and(two).lanewise(LSHL, 2));
    LongVector b = p1.and(two).or(p3.and(two).lanewise(LSHL, 2));
    LongVector c = p0.lanewise(LSHR, 2).and(two).or(p2.lanewise(AND_NOT, two));
    LongVector d = p1.lanewise(LSHR, 2).and(two).or(p3.lanewise(AND_NOT, two));
    LongVector one = LongVector.broadcast(LONGS, 0x5555_5555_5555_5555L);
    a.and(one).or(b.and(one).lanewise(LSHL, 1)).intoArray(labels, to);
    a.lanewise(LSHR, 1).and(one).or(b.lanewise(AND_NOT, one)).intoArray(labels, to + WORDS);
    c.and(one).or(d.and(one).lanewise(LSHL, 1)).intoArray(labels, to + 2 * WORDS);
    c.lanewise(LSHR, 1).and(one).or(d.lanewise(AND_NOT, one)).intoArray(labels, to + 3 * WORDS);
  }
}
