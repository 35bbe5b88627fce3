package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Rows of doubles turned into columns of floats, by vectors of 512 bits. To be loaded only where
 * the incubator module is. Stateless.
 */
final class VectorTiles {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
  private static final int STRIDE = BlockScratch.TILE_STRIDE;

  /** Rows and columns of a square that is turned. */
  static final int SIDE = 8;

  private static final int[] LOW_ONES = {0, 8, 2, 10, 4, 12, 6, 14};
  private static final int[] HIGH_ONES = {1, 9, 3, 11, 5, 13, 7, 15};
  private static final int[] LOW_TWOS = {0, 1, 8, 9, 4, 5, 12, 13};
  private static final int[] HIGH_TWOS = {2, 3, 10, 11, 6, 7, 14, 15};
  private static final int[] LOW_FOURS = {0, 1, 2, 3, 8, 9, 10, 11};
  private static final int[] HIGH_FOURS = {4, 5, 6, 7, 12, 13, 14, 15};

  private VectorTiles() {}

  /**
   * Turns eight columns of rows, each value rounded to the nearest.
   *
   * @param at of the first value
   * @param width from a row to the next
   * @param rows a multiple of 8
   * @param to where the first column goes, {@link BlockScratch#TILE_STRIDE} before the next
   */
  static void turn(double[] values, int at, int width, int rows, float[] target, int to) {
    IntVector lowOnes = IntVector.fromArray(INTS, LOW_ONES, 0);
    IntVector highOnes = IntVector.fromArray(INTS, HIGH_ONES, 0);
    IntVector lowTwos = IntVector.fromArray(INTS, LOW_TWOS, 0);
    IntVector highTwos = IntVector.fromArray(INTS, HIGH_TWOS, 0);
    IntVector lowFours = IntVector.fromArray(INTS, LOW_FOURS, 0);
    IntVector highFours = IntVector.fromArray(INTS, HIGH_FOURS, 0);
    int from = at;
    for (int row = to; row < to + rows; row += SIDE, from += SIDE * width) {
      IntVector a = floats(values, from);
      IntVector b = floats(values, from + width);
      IntVector c = floats(values, from + 2 * width);
      IntVector d = floats(values, from + 3 * width);
      IntVector e = floats(values, from + 4 * width);
      IntVector f = floats(values, from + 5 * width);
      IntVector g = floats(values, from + 6 * width);
      IntVector h = floats(values, from + 7 * width);
      // Columns 0, 2, 4 and 6 of two rows, then 0 and 4 of four, then 0 of all.
      IntVector ab = lowOnes.selectFrom(a, b);
      IntVector cd = lowOnes.selectFrom(c, d);
      IntVector ef = lowOnes.selectFrom(e, f);
      IntVector gh = lowOnes.selectFrom(g, h);
      a = highOnes.selectFrom(a, b);
      c = highOnes.selectFrom(c, d);
      e = highOnes.selectFrom(e, f);
      g = highOnes.selectFrom(g, h);
      b = lowTwos.selectFrom(ab, cd);
      d = lowTwos.selectFrom(ef, gh);
      lowFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row);
      highFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + 4 * STRIDE);
      b = highTwos.selectFrom(ab, cd);
      d = highTwos.selectFrom(ef, gh);
      lowFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + 2 * STRIDE);
      highFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + 6 * STRIDE);
      b = lowTwos.selectFrom(a, c);
      d = lowTwos.selectFrom(e, g);
      lowFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + STRIDE);
      highFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + 5 * STRIDE);
      b = highTwos.selectFrom(a, c);
      d = highTwos.selectFrom(e, g);
      lowFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + 3 * STRIDE);
      highFours.selectFrom(b, d).reinterpretAsFloats().intoArray(target, row + 7 * STRIDE);
    }
  }

  private static IntVector floats(double[] values, int at) {
    return ((FloatVector)
            DoubleVector.fromArray(DOUBLES, values, at)
                .convertShape(VectorOperators.D2F, FLOATS, 0))
        .reinterpretAsInts();
  }
}
