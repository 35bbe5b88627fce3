package io.holdfast.boosting.model.kernel;

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
  private static final int LANES = 16;

  private VectorRanks() {}

  /**
   * Finds the places of {@code values[first, first + rows)}, rounded up to the next multiple of 16,
   * behind the last level: ranks, and {@code 2^levels} more.
   *
   * @param heap from {@code at} on, of {@code 2^levels} entries, as the bits of floats
   * @param levels from 4 to 8
   * @return as {@link VectorRanks256#places}
   */
  static int places(
      int[] heap, int at, int levels, float[] values, int first, int rows, int[] places) {
    int found = topFour(heap, at, values, first, rows, places);
    boolean equal = false;
    if (levels == 5) {
      equal = downOf16(heap, at + 16, values, first, rows, places);
    }
    if (levels > 5) {
      equal = downOf16And32(heap, at + 16, values, first, rows, places);
    }
    if (levels > 6) {
      equal |= downOf64(heap, at + 64, values, first, rows, places);
    }
    if (levels > 7) {
      equal |= downOf128(heap, at + 128, values, first, rows, places);
    }
    return equal ? found | VectorRanks256.EQUAL : found;
  }

  /**
   * Gives missing values their place, and notes their rows.
   *
   * @param missing a bit a row, to be 0 before
   */
  static void placeMissing(
      float[] values, int first, int rows, int place, int[] places, long[] missing) {
    IntVector none = IntVector.broadcast(INTS, place);
    for (int row = 0; row < rows; row += LANES) {
      VectorMask<Float> isMissing =
          FloatVector.fromArray(FLOATS, values, first + row).test(VectorOperators.IS_NAN);
      missing[row >> 6] |= isMissing.toLong() << row;
      IntVector.fromArray(INTS, places, row)
          .blend(none, isMissing.cast(INTS))
          .intoArray(places, row);
    }
  }

  private static int topFour(
      int[] heap, int at, float[] values, int first, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, at);
    FloatVector root = FloatVector.broadcast(FLOATS, Float.intBitsToFloat(heap[at + 1]));
    FloatVector none = FloatVector.broadcast(FLOATS, Float.NaN);
    IntVector two = IntVector.broadcast(INTS, 2);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    VectorMask<Float> missing = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      missing = missing.or(value.compare(VectorOperators.NE, value));
      VectorMask<Float> right = root.compare(VectorOperators.LT, value);
      FloatVector least = root.blend(none, right);
      IntVector place = two.add(1, right.cast(INTS));
      FloatVector threshold = place.selectFrom(table).reinterpretAsFloats();
      right = threshold.compare(VectorOperators.LT, value);
      least = threshold.blend(least, right);
      place = place.add(place).add(1, right.cast(INTS));
      threshold = place.selectFrom(table).reinterpretAsFloats();
      right = threshold.compare(VectorOperators.LT, value);
      least = threshold.blend(least, right);
      place = place.add(place).add(1, right.cast(INTS));
      threshold = place.selectFrom(table).reinterpretAsFloats();
      right = threshold.compare(VectorOperators.LT, value);
      least = threshold.blend(least, right);
      place.add(place).add(1, right.cast(INTS)).intoArray(places, row);
      equal = equal.or(least.compare(VectorOperators.EQ, value));
    }
    return (equal.anyTrue() ? VectorRanks256.EQUAL : 0)
        | (missing.anyTrue() ? VectorRanks256.MISSING : 0);
  }

  private static boolean downOf16(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, from);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      FloatVector threshold = place.selectFrom(table).reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal.anyTrue();
  }

  private static boolean downOf16And32(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, from);
    IntVector a = IntVector.fromArray(INTS, heap, from + 16);
    IntVector b = IntVector.fromArray(INTS, heap, from + 32);
    FloatVector none = FloatVector.broadcast(FLOATS, Float.NaN);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      FloatVector threshold = place.selectFrom(table).reinterpretAsFloats();
      VectorMask<Float> right = threshold.compare(VectorOperators.LT, value);
      FloatVector least = threshold.blend(none, right);
      place = place.add(place).add(1, right.cast(INTS));
      threshold = place.selectFrom(a, b).reinterpretAsFloats();
      right = threshold.compare(VectorOperators.LT, value);
      least = threshold.blend(least, right);
      place.add(place).add(1, right.cast(INTS)).intoArray(places, row);
      equal = equal.or(least.compare(VectorOperators.EQ, value));
    }
    return equal.anyTrue();
  }

  private static boolean downOf64(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 16);
    IntVector c = IntVector.fromArray(INTS, heap, from + 32);
    IntVector d = IntVector.fromArray(INTS, heap, from + 48);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      IntVector low = place.and(31);
      VectorMask<Integer> upper = place.and(32).compare(VectorOperators.NE, 0);
      FloatVector threshold =
          low.selectFrom(a, b).blend(low.selectFrom(c, d), upper).reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal.anyTrue();
  }

  private static boolean downOf128(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 16);
    IntVector c = IntVector.fromArray(INTS, heap, from + 32);
    IntVector d = IntVector.fromArray(INTS, heap, from + 48);
    IntVector e = IntVector.fromArray(INTS, heap, from + 64);
    IntVector f = IntVector.fromArray(INTS, heap, from + 80);
    IntVector g = IntVector.fromArray(INTS, heap, from + 96);
    IntVector h = IntVector.fromArray(INTS, heap, from + 112);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      IntVector low = place.and(31);
      VectorMask<Integer> odd = place.and(32).compare(VectorOperators.NE, 0);
      VectorMask<Integer> upper = place.and(64).compare(VectorOperators.NE, 0);
      IntVector lower = low.selectFrom(a, b).blend(low.selectFrom(c, d), odd);
      FloatVector threshold =
          lower
              .blend(low.selectFrom(e, f).blend(low.selectFrom(g, h), odd), upper)
              .reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .add(1, threshold.compare(VectorOperators.LT, value).cast(INTS))
          .intoArray(places, row);
    }
    return equal.anyTrue();
  }
}
