package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link VectorRanks} does, by vectors of 256 bits: eight values at once. To be loaded only
 * where the incubator module is. Stateless.
 */
final class VectorRanks256 {
  /*
   * The same heaps and the same walk. A register has eight of a level's entries, so that the last
   * levels take several; of more than 64 entries a plain loop looks each up, which is as fast.
   * Comparisons are added as the numbers 0 and -1 that they are here: 0.7 ns a value for 15
   * thresholds, 1.4 for 63, 4 for 255.
   */
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
  private static final int LANES = 8;

  /** A value equals a threshold. */
  static final int EQUAL = 1;

  /** A value is missing. */
  static final int MISSING = 2;

  private VectorRanks256() {}

  /**
   * Finds the places of {@code values[first, first + rows)}, rounded up to the next multiple of 8,
   * behind the last level: ranks, and {@code 2^levels} more.
   *
   * @param heap from {@code at} on, of {@code 2^levels} entries, as the bits of floats
   * @param levels from 4 to 8
   * @return whether a rank may be wrong, since a value equals a threshold, as {@link #EQUAL}, and
   *     whether a value is missing, as {@link #MISSING}
   */
  static int places(
      int[] heap, int at, int levels, float[] values, int first, int rows, int[] places) {
    int found = topFour(heap, at, values, first, rows, places);
    boolean equal = false;
    if (levels > 4) {
      equal |= downOf16(heap, at + 16, values, first, rows, places);
    }
    if (levels > 5) {
      equal |= downOf32(heap, at + 32, values, first, rows, places);
    }
    if (levels > 6) {
      equal |= downOf64(heap, at + 64, values, first, rows, places);
    }
    if (levels > 7) {
      equal |= downOf128(heap, at, values, first, rows, places);
    }
    return equal ? found | EQUAL : found;
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
      VectorMask<Integer> isMissing =
          FloatVector.fromArray(FLOATS, values, first + row)
              .test(VectorOperators.IS_NAN)
              .cast(INTS);
      missing[row >> 6] |= isMissing.toLong() << row;
      IntVector.fromArray(INTS, places, row).blend(none, isMissing).intoArray(places, row);
    }
  }

  private static int topFour(
      int[] heap, int at, float[] values, int first, int rows, int[] places) {
    IntVector table = IntVector.fromArray(INTS, heap, at);
    IntVector next = IntVector.fromArray(INTS, heap, at + 8);
    FloatVector root = FloatVector.broadcast(FLOATS, Float.intBitsToFloat(heap[at + 1]));
    IntVector two = IntVector.broadcast(INTS, 2);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    VectorMask<Float> missing = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      missing = missing.or(value.compare(VectorOperators.NE, value));
      IntVector place = two.sub(root.compare(VectorOperators.LT, value).cast(INTS).toVector());
      equal = equal.or(root.compare(VectorOperators.EQ, value));
      FloatVector threshold = place.selectFrom(table).reinterpretAsFloats();
      place =
          place.add(place).sub(threshold.compare(VectorOperators.LT, value).cast(INTS).toVector());
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      threshold = place.selectFrom(table).reinterpretAsFloats();
      place =
          place.add(place).sub(threshold.compare(VectorOperators.LT, value).cast(INTS).toVector());
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      threshold = place.selectFrom(next).reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .sub(threshold.compare(VectorOperators.LT, value).cast(INTS).toVector())
          .intoArray(places, row);
    }
    return (equal.anyTrue() ? EQUAL : 0) | (missing.anyTrue() ? MISSING : 0);
  }

  private static boolean downOf16(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 8);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      VectorMask<Integer> odd =
          place.lanewise(VectorOperators.LSHL, 28).compare(VectorOperators.LT, 0);
      FloatVector threshold =
          place.selectFrom(a).blend(place.selectFrom(b), odd).reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .sub(threshold.compare(VectorOperators.LT, value).cast(INTS).toVector())
          .intoArray(places, row);
    }
    return equal.anyTrue();
  }

  private static boolean downOf32(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 8);
    IntVector c = IntVector.fromArray(INTS, heap, from + 16);
    IntVector d = IntVector.fromArray(INTS, heap, from + 24);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      VectorMask<Integer> odd =
          place.lanewise(VectorOperators.LSHL, 28).compare(VectorOperators.LT, 0);
      VectorMask<Integer> upper =
          place.lanewise(VectorOperators.LSHL, 27).compare(VectorOperators.LT, 0);
      IntVector low = place.selectFrom(a).blend(place.selectFrom(b), odd);
      IntVector high = place.selectFrom(c).blend(place.selectFrom(d), odd);
      FloatVector threshold = low.blend(high, upper).reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .sub(threshold.compare(VectorOperators.LT, value).cast(INTS).toVector())
          .intoArray(places, row);
    }
    return equal.anyTrue();
  }

  private static boolean downOf64(
      int[] heap, int from, float[] values, int first, int rows, int[] places) {
    IntVector a = IntVector.fromArray(INTS, heap, from);
    IntVector b = IntVector.fromArray(INTS, heap, from + 8);
    IntVector c = IntVector.fromArray(INTS, heap, from + 16);
    IntVector d = IntVector.fromArray(INTS, heap, from + 24);
    IntVector e = IntVector.fromArray(INTS, heap, from + 32);
    IntVector f = IntVector.fromArray(INTS, heap, from + 40);
    IntVector g = IntVector.fromArray(INTS, heap, from + 48);
    IntVector h = IntVector.fromArray(INTS, heap, from + 56);
    VectorMask<Float> equal = FLOATS.maskAll(false);
    for (int row = 0; row < rows; row += LANES) {
      FloatVector value = FloatVector.fromArray(FLOATS, values, first + row);
      IntVector place = IntVector.fromArray(INTS, places, row);
      VectorMask<Integer> odd =
          place.lanewise(VectorOperators.LSHL, 28).compare(VectorOperators.LT, 0);
      VectorMask<Integer> upper =
          place.lanewise(VectorOperators.LSHL, 27).compare(VectorOperators.LT, 0);
      IntVector low =
          place
              .selectFrom(a)
              .blend(place.selectFrom(b), odd)
              .blend(place.selectFrom(c).blend(place.selectFrom(d), odd), upper);
      IntVector high =
          place
              .selectFrom(e)
              .blend(place.selectFrom(f), odd)
              .blend(place.selectFrom(g).blend(place.selectFrom(h), odd), upper);
      VectorMask<Integer> last =
          place.lanewise(VectorOperators.LSHL, 26).compare(VectorOperators.LT, 0);
      FloatVector threshold = low.blend(high, last).reinterpretAsFloats();
      equal = equal.or(threshold.compare(VectorOperators.EQ, value));
      place
          .add(place)
          .sub(threshold.compare(VectorOperators.LT, value).cast(INTS).toVector())
          .intoArray(places, row);
    }
    return equal.anyTrue();
  }

  private static boolean downOf128(
      int[] heap, int at, float[] values, int first, int rows, int[] places) {
    boolean equal = false;
    for (int row = 0; row < rows; row++) {
      float value = values[first + row];
      int place = places[row];
      float threshold = Float.intBitsToFloat(heap[at + place]);
      equal |= threshold == value;
      places[row] = 2 * place + (threshold < value ? 1 : 0);
    }
    return equal;
  }
}
