package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProjectionTest {
  private static final int ROWS = 50;
  private static final int GROUPS = 4;
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final double[] WEIGHTS = new double[ROWS];
  private static final int[] GROUP_OF = new int[ROWS];
  private static final int[] LEAF_OF = new int[ROWS];
  private static final double[][] COLUMNS = new double[2][ROWS];

  static {
    var random = new SplittableRandom(11);
    for (int row = 0; row < ROWS; row++) {
      WEIGHTS[row] = 0.2 + random.nextDouble();
      GROUP_OF[row] = random.nextInt(GROUPS);
      LEAF_OF[row] = random.nextInt(3);
      COLUMNS[0][row] = random.nextDouble() - 0.3;
      COLUMNS[1][row] = random.nextDouble() - 0.6;
    }
  }

  static Stream<Projection> projections() {
    return Stream.of(new GroupMeans(GROUP_OF, GROUPS, WEIGHTS), new ColumnSpan(COLUMNS, WEIGHTS));
  }

  @ParameterizedTest
  @MethodSource("projections")
  void project_twice_changesNothingMore(Projection projection) {
    double[] once = project(projection, values(1));
    assertThat(project(projection, once)).containsExactly(once, CLOSE);
  }

  @ParameterizedTest
  @MethodSource("projections")
  void project_inTheWeightsInnerProduct_isSymmetric(Projection projection) {
    double[] a = values(1);
    double[] b = values(2);
    assertThat(inner(a, project(projection, b))).isCloseTo(inner(project(projection, a), b), CLOSE);
  }

  /** cᵀ (Mᵀ D W P D M) c is the weighted square of P applied to D M c. */
  @ParameterizedTest
  @MethodSource("projections")
  void addCoupling_asAQuadraticForm_isThePenaltysCurvature(Projection projection) {
    double[] diagonal = values(3);
    double[] weighted = new double[ROWS];
    Arrays.setAll(weighted, row -> WEIGHTS[row] * diagonal[row]);
    double[] matrix = new double[9];
    Arrays.fill(matrix, 0.25);
    projection.addCoupling(2, weighted, LEAF_OF, 3, matrix);
    double[] c = {0.3, -1, 0.7};
    double[] moved = new double[ROWS];
    Arrays.setAll(moved, row -> diagonal[row] * c[LEAF_OF[row]]);
    double[] projected = project(projection, moved);
    double form = 0;
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        form += c[a] * (matrix[3 * a + b] - 0.25) * c[b];
        assertThat(matrix[3 * a + b]).isCloseTo(matrix[3 * b + a], CLOSE);
      }
    }
    assertThat(form).isCloseTo(2 * inner(projected, projected), CLOSE);
  }

  @Test
  void groupMeans_sameAsTheSpanOfTheIndicators() {
    double[][] indicators = new double[GROUPS][ROWS];
    for (int row = 0; row < ROWS; row++) {
      indicators[GROUP_OF[row]][row] = 1;
    }
    ColumnSpan span = new ColumnSpan(indicators, WEIGHTS);
    assertThat(span.rank()).isEqualTo(GROUPS);
    assertThat(project(new GroupMeans(GROUP_OF, GROUPS, WEIGHTS), values(1)))
        .containsExactly(project(span, values(1)), CLOSE);
  }

  @Test
  void groupMeans_groupWithoutRows_changesNothing() {
    double[] expected = project(new GroupMeans(GROUP_OF, GROUPS, WEIGHTS), values(1));
    assertThat(project(new GroupMeans(GROUP_OF, GROUPS + 3, WEIGHTS), values(1)))
        .isEqualTo(expected);
    double[] matrix = new double[9];
    new GroupMeans(GROUP_OF, GROUPS + 3, WEIGHTS).addCoupling(1, WEIGHTS, LEAF_OF, 3, matrix);
    assertThat(matrix).doesNotContain(Double.NaN);
  }

  @Test
  void columnSpan_duplicateZeroAndRescaledColumns_changeNothing() {
    double[] sum = new double[ROWS];
    double[] tiny = new double[ROWS];
    Arrays.setAll(sum, row -> COLUMNS[0][row] - 3 * COLUMNS[1][row]);
    Arrays.setAll(tiny, row -> 1e-200 * COLUMNS[0][row]);
    double[][] more = {
      new double[ROWS], COLUMNS[1], sum, tiny, COLUMNS[0], COLUMNS[1], new double[ROWS]
    };
    ColumnSpan span = new ColumnSpan(more, WEIGHTS);
    assertThat(span.rank()).isEqualTo(2);
    assertThat(project(span, values(1)))
        .containsExactly(project(new ColumnSpan(COLUMNS, WEIGHTS), values(1)), CLOSE);
  }

  @Test
  void columnSpan_nothingToSpan_projectsToZero() {
    ColumnSpan span = new ColumnSpan(new double[3][ROWS], WEIGHTS);
    assertThat(span.rank()).isZero();
    assertThat(project(span, values(1))).containsOnly(0);
  }

  private static double[] values(long seed) {
    var random = new SplittableRandom(seed);
    double[] values = new double[ROWS];
    Arrays.setAll(values, row -> random.nextDouble() - 0.5);
    return values;
  }

  private static double[] project(Projection projection, double[] values) {
    double[] target = new double[ROWS];
    projection.project(values, target);
    return target;
  }

  private static double inner(double[] a, double[] b) {
    double sum = 0;
    for (int row = 0; row < ROWS; row++) {
      sum += WEIGHTS[row] * a[row] * b[row];
    }
    return sum;
  }
}
