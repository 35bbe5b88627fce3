package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Ranks of a feature's values, eight at once. To be loaded only where the incubator module is.
 * Stateless.
 */
final class VectorRanks {
  /*
   * A feature's thresholds stand as a heap: the children of entry i are 2i and 2i + 1, and a number
   * goes from i to 2i + (threshold i is below it). Behind the last level its place less 2^levels is
   * its rank. A level's entries fit into registers, where permutations look eight up at once; every
   * level is a loop of its own, since the compiler gives up on larger ones. Missing numbers are
   * above nothing.
   */
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;

  private VectorRanks() {}

  /**
   * Writes the ranks of {@code values[0, rows)}, rounded up to the next multiple of 8.
   *
   * @param heap from {@code at} on, of {@code 2^levels} entries
   * @param levels from 4 to 6: for more, tables win
   * @param places scratch, as long as {@code values}
   */
  static void rank(
      double[] heap, int at, int levels, double[] values, int rows, long[] places, int[] ranks) {
    topTwo(heap, at, values, rows, places);
    downOf16(heap, at, values, rows, places);
    downOf16(heap, at, values, rows, places);
    if (levels > 4) {
      downOf16(heap, at + 16, values, rows, places);
    }
    if (levels > 5) {
      downOf32(heap, at + 32, values, rows, places);
    }
    write(places, rows, 1L << levels, ranks);
  }

  /** Whether one of {@code values[0, rows)} is missing; {@code rows} rounded up as above. */
  static boolean anyMissing(double[] values, int rows) {
    long missing = 0;
    for (int row = 0; row < rows; row += 8) {
      missing |= DoubleVector.fromArray(DOUBLES, values, row).test(VectorOperators.IS_NAN).toLong();
    }
    return missing != 0;
  }

  private static void topTwo(double[] heap, int at, double[] values, int rows, long[] places) {
    LongVector a = DoubleVector.fromArray(DOUBLES, heap, at).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, heap, at + 8).reinterpretAsLongs();
    LongVector root = LongVector.broadcast(LONGS, 1);
    for (int row = 0; row < rows; row += 8) {
      DoubleVector value = DoubleVector.fromArray(DOUBLES, values, row);
      VectorMask<Double> above =
          root.selectFrom(a, b).reinterpretAsDoubles().compare(VectorOperators.LT, value);
      LongVector place = root.add(root).add(1, above.cast(LONGS));
      above = place.selectFrom(a, b).reinterpretAsDoubles().compare(VectorOperators.LT, value);
      place.add(place).add(1, above.cast(LONGS)).intoArray(places, row);
    }
  }

  private static void downOf16(double[] heap, int from, double[] values, int rows, long[] places) {
    LongVector a = DoubleVector.fromArray(DOUBLES, heap, from).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, heap, from + 8).reinterpretAsLongs();
    for (int row = 0; row < rows; row += 8) {
      DoubleVector value = DoubleVector.fromArray(DOUBLES, values, row);
      LongVector place = LongVector.fromArray(LONGS, places, row);
      VectorMask<Double> above =
          place.and(15).selectFrom(a, b).reinterpretAsDoubles().compare(VectorOperators.LT, value);
      place.add(place).add(1, above.cast(LONGS)).intoArray(places, row);
    }
  }

  private static void downOf32(double[] heap, int from, double[] values, int rows, long[] places) {
    LongVector a = DoubleVector.fromArray(DOUBLES, heap, from).reinterpretAsLongs();
    LongVector b = DoubleVector.fromArray(DOUBLES, heap, from + 8).reinterpretAsLongs();
    LongVector c = DoubleVector.fromArray(DOUBLES, heap, from + 16).reinterpretAsLongs();
    LongVector d = DoubleVector.fromArray(DOUBLES, heap, from + 24).reinterpretAsLongs();
    for (int row = 0; row < rows; row += 8) {
      DoubleVector value = DoubleVector.fromArray(DOUBLES, values, row);
      LongVector place = LongVector.fromArray(LONGS, places, row);
      LongVector low = place.and(15);
      VectorMask<Long> odd = place.and(16).compare(VectorOperators.NE, 0);
      LongVector threshold = low.selectFrom(a, b).blend(low.selectFrom(c, d), odd);
      VectorMask<Double> above =
          threshold.reinterpretAsDoubles().compare(VectorOperators.LT, value);
      place.add(place).add(1, above.cast(LONGS)).intoArray(places, row);
    }
  }

  private static void write(long[] places, int rows, long first, int[] ranks) {
    for (int row = 0; row < rows; row++) {
      ranks[row] = (int) (places[row] - first);
    }
  }
}
