package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Ranks of a feature's values, sixteen at once. To be loaded only where the incubator module is.
 * Stateless.
 */
final class VectorRanks {
  /*
   * A feature's thresholds stand as a heap: the children of entry i are 2i and 2i + 1, and a number
   * goes from i to 2i + (threshold i is below it). Behind the last level its place less 2^levels is
   * its rank. A level's entries fit into registers, where permutations look sixteen up at once; a
   * loop does a few levels only, since the compiler gives up on larger ones.
   *
   * Numbers and thresholds are floats here, rounded to the nearest. Rounding keeps their order but
   * for those that it makes equal, and if a number of the column equals a threshold that it meets on
   * its way, the column is ranked by doubles instead. Thresholds lie in the middle between values, so
   * that is rare. Missing numbers are above nothing.
   */
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Byte> QUARTER = ByteVector.SPECIES_128;
  private static final int LANES = 16;

  /** Of the ranks, so that signed bytes have their order. */
  static final int MIDDLE = 128;

  private VectorRanks() {}

  /**
   * Finds the places of {@code values[0, rows)}, rounded up to the next multiple of 16, behind the
   * last level.
   *
   * @param heap from {@code at} on, of {@code 2^levels} entries, as the bits of floats
   * @param levels from 4 to 8
   * @return whether a rank may be wrong, since a value equals a threshold
   */
  static boolean places(int[] heap, int at, int levels, float[] values, int rows, int[] places) {
    long equal = topTwo(heap, at, values, rows, places) | nextTwo(heap, at, values, rows, places);
    if (levels > 4) {
      equal |= downOf16(heap, at + 16, values, rows, places);
    }
    if (levels > 5) {
      equal |= downOf32(heap, at + 32, values, rows, places);
    }
    if (levels > 6) {
      equal |= downOf64(heap, at + 64, values, rows, places);
    }
    if (levels > 7) {
      equal |= downOf128(heap, at + 128, values, rows, places);
    }
    return equal != 0;
  }

  /**
   * Writes ranks less {@link #MIDDLE}, and notes the rows where a value is missing.
   *
   * @param rankOfMissing what those rank
   * @param missing a bit a row, to be 0 before
   */
  static void write(
      int[] places,
      float[] values,
      int rows,
      int levels,
      int rankOfMissing,
      byte[] ranks,
      long[] missing) {
    IntVector none = IntVector.broadcast(INTS, rankOfMissing - MIDDLE);
    int first = (1 << levels) + MIDDLE;
    for (int row = 0; row < rows; row += LANES) {
      VectorMask<Float> isMissing =
          FloatVector.fromArray(FLOATS, values, row).test(VectorOperators.IS_NAN);
      missing[row >> 6] |= isMissing.toLong() << row;
      ((ByteVector)
              IntVector.fromArray(INTS, places, row)
                  .sub(first)
                  .blend(none, isMissing.cast(INTS))
                  .convertShape(VectorOperators.I2B, QUARTER, 0))
          .intoArray(ranks, row);
    }
  }

  private static long topTwo(int[] heap, int at, float[] values, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, at);
    IntVector root = IntVector.broadcast(INTS, 1);
    long equal = 0;
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, row);
      FloatVector threshold = root.selectFrom(table).reinterpretAsFloats();
      IntVector place =
          root.add(root).add(1, threshold.compare(VectorOperators.LT, value).cast(INTS));
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      threshold = place.selectFrom(table).reinterpretAsFloats();
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal;
  }

  private static long nextTwo(int[] heap, int at, float[] values, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, at);
    long equal = 0;
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      FloatVector threshold = place.selectFrom(table).reinterpretAsFloats();
      place = place.add(place).add(1, threshold.compare(VectorOperators.LT, value).cast(INTS));
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      threshold = place.selectFrom(table).reinterpretAsFloats();
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal;
  }

  private static long downOf16(int[] heap, int from, float[] values, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, from);
    long equal = 0;
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      FloatVector threshold = place.and(15).selectFrom(table).reinterpretAsFloats();
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal;
  }

  private static long downOf32(int[] heap, int from, float[] values, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 16);
    long equal = 0;
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      FloatVector threshold = place.and(31).selectFrom(a, b).reinterpretAsFloats();
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal;
  }

  private static long downOf64(int[] heap, int from, float[] values, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 16);
    IntVector c = IntVector.fromArray(INTS, heap, from + 32);
    IntVector d = IntVector.fromArray(INTS, heap, from + 48);
    long equal = 0;
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      IntVector low = place.and(31);
      VectorMask<Integer> upper = place.and(32).compare(VectorOperators.NE, 0);
      FloatVector threshold =
          low.selectFrom(a, b).blend(low.selectFrom(c, d), upper).reinterpretAsFloats();
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal;
  }

  private static long downOf128(int[] heap, int from, float[] values, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 16);
    IntVector c = IntVector.fromArray(INTS, heap, from + 32);
    IntVector d = IntVector.fromArray(INTS, heap, from + 48);
    IntVector e = IntVector.fromArray(INTS, heap, from + 64);
    IntVector f = IntVector.fromArray(INTS, heap, from + 80);
    IntVector g = IntVector.fromArray(INTS, heap, from + 96);
    IntVector h = IntVector.fromArray(INTS, heap, from + 112);
    long equal = 0;
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      IntVector low = place.and(31);
      VectorMask<Integer> odd = place.and(32).compare(VectorOperators.NE, 0);
      VectorMask<Integer> upper = place.and(64).compare(VectorOperators.NE, 0);
      IntVector lower = low.selectFrom(a, b).blend(low.selectFrom(c, d), odd);
      FloatVector threshold =
          lower
              .blend(low.selectFrom(e, f).blend(low.selectFrom(g, h), odd), upper)
              .reinterpretAsFloats();
      equal |= threshold.compare(VectorOperators.EQ, value).toLong();
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal;
  }
}
