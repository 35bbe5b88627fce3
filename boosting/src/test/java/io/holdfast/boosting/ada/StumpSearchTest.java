package io.holdfast.boosting.ada;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.ada.Learner.Structure;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stumps against every split there is; of sets of categories only if sides may be of any size,
 * since the search looks for the best set before it asks for its size.
 */
class StumpSearchTest {
  private static final int ROWS = 40;
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("x"),
          new Feature.Categorical("kind", List.of("a", "b", "c", "d", "e")));

  private final double[] masses = new double[ROWS];
  private final int[] labels = new int[ROWS];
  private final int[] times = new int[ROWS];
  private Rows rows = Rows.builder(2).build();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void stump_hasTheLeastErrorOfAll(long seed) {
    int classes = 2 + (int) (seed % 3);
    int minRows = 1 + (int) (seed % 5);
    fill(seed, classes);
    var search = new StumpSearch(BinnedRows.of(rows, FEATURES, 255), labels, classes, minRows);
    Structure stump = search.grow(masses, times);
    double least = Double.POSITIVE_INFINITY;
    for (double threshold = -0.5; threshold < 8; threshold++) {
      for (boolean missingLeft : new boolean[] {false, true}) {
        double cut = threshold;
        least =
            Math.min(
                least,
                error(
                    classes,
                    minRows,
                    row -> {
                      double value = rows.feature(row, 0);
                      return Double.isNaN(value) ? missingLeft : value <= cut;
                    }));
      }
    }
    for (int set = 0; set < 64 && minRows == 1; set++) {
      int left = set;
      least =
          Math.min(
              least,
              error(
                  classes,
                  minRows,
                  row -> {
                    double value = rows.feature(row, 1);
                    return (left >> (Double.isNaN(value) ? 5 : (int) value) & 1) != 0;
                  }));
    }
    int[] leafOf = stump.leafOf();
    double own = error(classes, minRows, row -> leafOf[row] == 0);
    assertThat(own).isLessThanOrEqualTo(least + 1e-12);
    assertThat(own).isGreaterThanOrEqualTo(minRows == 1 ? least - 1e-12 : 0);
    checkLeaves(stump);
  }

  private interface Side {
    boolean left(int row);
  }

  private void fill(long seed, int classes) {
    var random = new SplittableRandom(seed);
    Rows.Builder builder = Rows.builder(2);
    for (int row = 0; row < ROWS; row++) {
      double[] values = {random.nextInt(8), random.nextInt(5)};
      for (int column = 0; column < 2; column++) {
        values[column] = random.nextInt(6) == 0 ? Double.NaN : values[column];
      }
      labels[row] = random.nextInt(classes);
      times[row] = seed % 2 == 0 ? 1 : random.nextInt(3);
      masses[row] = times[row] * (seed % 2 == 0 ? random.nextDouble() : 1);
      builder.add(values, labels[row], "all");
    }
    double sum = Arrays.stream(masses).sum();
    for (int row = 0; row < ROWS; row++) {
      masses[row] /= sum;
    }
    rows = builder.build();
  }

  /** The weight that is on the wrong side; infinite if a side has too few rows. */
  private double error(int classes, int minRows, Side side) {
    ClassMasses sides = new ClassMasses(2, classes);
    int[] rowsOfSide = new int[2];
    double[][] sums = new double[2][classes];
    for (int row = 0; row < ROWS; row++) {
      int at = side.left(row) ? 0 : 1;
      sides.add(at, labels[row], masses[row]);
      sums[at][labels[row]] += masses[row];
      rowsOfSide[at] += times[row];
    }
    if (rowsOfSide[0] < minRows || rowsOfSide[1] < minRows) {
      return Double.POSITIVE_INFINITY;
    }
    return 1 - sums[0][sides.heaviest(0)] - sums[1][sides.heaviest(1)];
  }

  /** The tree sends each row where the search said it goes. */
  private void checkLeaves(Structure stump) {
    var tree = stump.maker().of(new double[] {-1, 1}, 1, new double[2]);
    double[] values = new double[2];
    int[] leafOf = stump.leafOf();
    for (int row = 0; row < ROWS; row++) {
      rows.copyFeatures(row, values);
      assertThat(tree.leafOf(values)).isEqualTo(leafOf[row]);
    }
  }
}
