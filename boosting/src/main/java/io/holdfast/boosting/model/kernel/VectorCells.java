package io.holdfast.boosting.model.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The cells of {@link NumberRanks} for a row, by vectors of 512 bits. To be loaded only where the
 * incubator module is. Stateless.
 */
final class VectorCells {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;

  /** Features at least: so many are taken at once, the last ones again if they are fewer. */
  static final int FEWEST = 8;

  private VectorCells() {}

  /**
   * Writes the cells of the first numbers of a row, as many as there are in {@code cellStart}.
   *
   * @return whether all numbers are finite; if not, cells are of no use
   */
  static boolean find(
      double[] values,
      double[] lowest,
      double[] cellsPerUnit,
      int[] lastCell,
      int[] cellStart,
      int[] cells) {
    DoubleVector zero = DoubleVector.zero(DOUBLES);
    DoubleVector zeros = zero; // NaN where a value is missing or infinite
    int last = cellStart.length - FEWEST;
    for (int next = 0; next < cellStart.length; next += FEWEST) {
      int k = Math.min(next, last);
      DoubleVector value = DoubleVector.fromArray(DOUBLES, values, k);
      zeros = zeros.add(value.mul(zero));
      IntVector cell =
          (IntVector)
              value
                  .sub(DoubleVector.fromArray(DOUBLES, lowest, k))
                  .mul(DoubleVector.fromArray(DOUBLES, cellsPerUnit, k))
                  .convertShape(VectorOperators.D2I, INTS, 0);
      cell.min(IntVector.fromArray(INTS, lastCell, k))
          .max(0)
          .add(IntVector.fromArray(INTS, cellStart, k))
          .intoArray(cells, k);
    }
    return zeros.compare(VectorOperators.EQ, zero).allTrue();
  }
}
