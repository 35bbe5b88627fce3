package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    return Stream.of(
        new GroupMeans(GROUP_OF, GROUPS, WEIGHTS),
        new ColumnSpan(COLUMNS, WEIGHTS),
        ColumnSpan.centred(COLUMNS, WEIGHTS),
        new Mixed(new GroupMeans(GROUP_OF, GROUPS, WEIGHTS), COLUMNS, WEIGHTS));
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

  /** One row may have nearly all the weight: what the others say of the anchor is still there. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 1e10, 1e19, 1e21, 1e24, 1e30})
  void columns_whateverTheWeights_spanTheSame(double heaviest) {
    double[] weights = WEIGHTS.clone();
    weights[3] = heaviest;
    double[] column = COLUMNS[0];
    double[] affine = Arrays.stream(column).map(x -> 3 * x + 2).toArray();
    double[] same = column.clone();
    double[] ones = new double[ROWS];
    Arrays.fill(ones, 1);
    double total = Arrays.stream(weights).sum();
    double shift = 0; // of the mean from the heaviest row's value
    for (int row = 0; row < ROWS; row++) {
      shift += weights[row] * (column[row] - column[3]) / total;
    }
    double[] centred = new double[ROWS];
    for (int row = 0; row < ROWS; row++) {
      centred[row] = row == 3 ? -shift : column[row] - column[3] - shift;
    }

    for (Projection projection :
        new Projection[] {
          ColumnSpan.centred(new double[][] {column, affine, ones, same}, weights),
          new Mixed(
              new GroupMeans(new int[ROWS], 1, weights), new double[][] {column, affine}, weights),
          new ColumnSpan(new double[][] {ones, column, same, affine}, weights)
        }) {
      assertThat(project(projection, centred)).containsExactly(centred, within(1e-8));
    }
    assertThat(ColumnSpan.centred(new double[][] {column, affine, ones, same}, weights).rank())
        .isEqualTo(1);
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
    projection.addCoupling(2, new double[][] {weighted}, new int[][] {LEAF_OF}, 3, matrix);
    double[] c = {0.3, -1, 0.7};
    double[] moved = new double[ROWS];
    Arrays.setAll(moved, row -> diagonal[row] * c[LEAF_OF[row]]);
    double[] projected = project(projection, moved);
    double form = 0;
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        form += c[a] * (matrix[3 * Math.max(a, b) + Math.min(a, b)] - 0.25) * c[b];
      }
    }
    assertThat(form).isCloseTo(2 * inner(projected, projected), CLOSE);
  }

  /** Two raw scores, as softmax has them: entries in the same column are added up first. */
  @ParameterizedTest
  @MethodSource("projections")
  void addCoupling_severalEntriesARow_isTheCouplingOfTheirSum(Projection projection) {
    int[] otherLeaf = new int[ROWS];
    Arrays.setAll(otherLeaf, row -> 2 + (LEAF_OF[row] + row) % 3);
    double[][] weighted = {values(4), values(5)};
    double[] matrix = new double[25];
    projection.addCoupling(0.7, weighted, new int[][] {LEAF_OF, otherLeaf}, 5, matrix);
    double[] c = {0.3, -1, 0.7, 0.2, -0.4};
    double[] moved = new double[ROWS];
    Arrays.setAll(
        moved,
        row ->
            (weighted[0][row] * c[LEAF_OF[row]] + weighted[1][row] * c[otherLeaf[row]])
                / WEIGHTS[row]);
    double[] projected = project(projection, moved);
    double form = 0;
    for (int a = 0; a < 5; a++) {
      for (int b = 0; b < 5; b++) {
        form += c[a] * matrix[5 * Math.max(a, b) + Math.min(a, b)] * c[b];
      }
    }
    assertThat(form).isCloseTo(0.7 * inner(projected, projected), CLOSE);
  }

  /** Entry by entry what the coupling is made of. */
  @ParameterizedTest
  @MethodSource("projections")
  void addFactor_squared_isTheCoupling(Projection projection) {
    double[] weighted = values(6);
    double[] matrix = new double[9];
    projection.addCoupling(1, new double[][] {weighted}, new int[][] {LEAF_OF}, 3, matrix);
    double[] factor = new double[projection.rank() * 3];
    projection.addFactor(weighted, LEAF_OF, 3, factor);
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b <= a; b++) {
        double sum = 0;
        for (int k = 0; k < projection.rank(); k++) {
          sum += factor[3 * k + a] * factor[3 * k + b];
        }
        assertThat(sum).isCloseTo(matrix[3 * a + b], CLOSE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("projections")
  void rank_isTheTraceOfTheProjection(Projection projection) {
    double trace = 0;
    for (int row = 0; row < ROWS; row++) {
      double[] unit = new double[ROWS];
      unit[row] = 1;
      trace += project(projection, unit)[row];
    }
    assertThat(trace).isCloseTo(projection.rank(), CLOSE);
  }

  /** Up to rounding: sums are over rows in another order. */
  @Test
  void project_rowsInAnotherOrder_isTheSameByRow() {
    int[] order = new int[ROWS];
    Arrays.setAll(order, row -> (row * 7 + 3) % ROWS);
    double[] weights = permuted(WEIGHTS, order);
    int[] groupOf = new int[ROWS];
    Arrays.setAll(groupOf, row -> GROUP_OF[order[row]]);
    double[][] columns = {permuted(COLUMNS[0], order), permuted(COLUMNS[1], order)};
    var projection = new Mixed(new GroupMeans(groupOf, GROUPS, weights), columns, weights);
    var original = new Mixed(new GroupMeans(GROUP_OF, GROUPS, WEIGHTS), COLUMNS, WEIGHTS);
    assertThat(project(projection, permuted(values(1), order)))
        .containsExactly(permuted(project(original, values(1)), order), CLOSE);
  }

  @Test
  void centred_withTheConstant_isTheSpanWithAnIntercept() {
    double[] ones = new double[ROWS];
    Arrays.fill(ones, 1);
    double[] expected =
        project(new ColumnSpan(new double[][] {ones, COLUMNS[0], COLUMNS[1]}, WEIGHTS), values(1));
    double[] constant = project(GroupMeans.ofAll(WEIGHTS), values(1));
    double[] centred = project(ColumnSpan.centred(COLUMNS, WEIGHTS), values(1));
    Arrays.setAll(centred, row -> centred[row] + constant[row]);
    assertThat(centred).containsExactly(expected, CLOSE);
  }

  @Test
  void centred_shiftedAndConstantColumns_changeNothing() {
    double[] shifted = new double[ROWS];
    double[] constant = new double[ROWS];
    Arrays.setAll(shifted, row -> COLUMNS[1][row] + 1000);
    Arrays.fill(constant, 0.1);
    double[][] columns = {constant, COLUMNS[0], shifted};
    ColumnSpan span = ColumnSpan.centred(columns, WEIGHTS);
    assertThat(span.rank()).isEqualTo(2);
    assertThat(project(span, values(1)))
        .containsExactly(project(ColumnSpan.centred(COLUMNS, WEIGHTS), values(1)), CLOSE);
  }

  @Test
  void mixed_isTheSpanOfIndicatorsAndColumns() {
    double[][] all = Arrays.copyOf(indicators(), GROUPS + 2);
    all[GROUPS] = COLUMNS[0];
    all[GROUPS + 1] = COLUMNS[1];
    var mixed = new Mixed(new GroupMeans(GROUP_OF, GROUPS, WEIGHTS), COLUMNS, WEIGHTS);
    assertThat(mixed.rank()).isEqualTo(GROUPS + 2);
    assertThat(project(mixed, values(1)))
        .containsExactly(project(new ColumnSpan(all, WEIGHTS), values(1)), CLOSE);
  }

  @Test
  void mixed_columnsThatTellGroupsApart_changeNothing() {
    double[] perGroup = new double[ROWS];
    Arrays.setAll(perGroup, row -> 1 / (3.0 + GROUP_OF[row]));
    double[][] columns = {perGroup, COLUMNS[0], new double[ROWS], COLUMNS[0]};
    GroupMeans groups = new GroupMeans(GROUP_OF, GROUPS, WEIGHTS);
    Mixed mixed = new Mixed(groups, columns, WEIGHTS);
    assertThat(mixed.rank()).isEqualTo(GROUPS + 1);
    assertThat(project(mixed, values(1)))
        .containsExactly(
            project(new Mixed(groups, new double[][] {COLUMNS[0]}, WEIGHTS), values(1)), CLOSE);
  }

  /** A large mean is taken off twice: what is left is orthogonal to the constant. */
  @Test
  void centred_columnOfLargeMean_staysOrthogonalToTheConstant() {
    double[] far = new double[ROWS];
    Arrays.setAll(far, row -> 1e9 + COLUMNS[0][row]);
    ColumnSpan span = ColumnSpan.centred(new double[][] {far}, WEIGHTS);
    assertThat(span.rank()).isEqualTo(1);
    double[] ones = new double[ROWS];
    Arrays.fill(ones, 1);
    assertThat(project(span, ones)).containsExactly(new double[ROWS], CLOSE);
  }

  @Test
  void groupMeans_renamedGroups_sameBits() {
    int[] renamed = new int[ROWS];
    Arrays.setAll(renamed, row -> 17 - 3 * GROUP_OF[row]);
    GroupMeans groups = new GroupMeans(renamed, 18, WEIGHTS);
    GroupMeans original = new GroupMeans(GROUP_OF, GROUPS, WEIGHTS);
    assertThat(project(groups, values(1))).isEqualTo(project(original, values(1)));
    assertThat(coupling(groups)).isEqualTo(coupling(original));
    assertThat(groups.rank()).isEqualTo(GROUPS);
  }

  @Test
  void groupMeans_aGroupARow_projectsToTheValuesThemselves() {
    int[] own = new int[ROWS];
    Arrays.setAll(own, row -> row);
    GroupMeans groups = new GroupMeans(own, ROWS, WEIGHTS);
    assertThat(project(groups, values(1))).containsExactly(values(1), CLOSE);
  }

  @Test
  void groupMeans_groupOutOfRange_isRefused() {
    assertThatThrownBy(() -> new GroupMeans(new int[] {0, 2}, 2, new double[] {1, 1}))
        .hasMessage("the group of row 1 must be 0 or more and below 2: 2");
  }

  @Test
  void columnSpan_anchorNotFinite_isRefused() {
    double[][] columns = {{1, 2}, {0, Double.NaN}};
    assertThatThrownBy(() -> new ColumnSpan(columns, new double[] {1, 1}))
        .hasMessage("an anchor must be finite: row 1 has NaN");
  }

  /**
   * Two columns that differ by 1e-8: their difference spans the second direction to full digits.
   */
  @Test
  void columnSpan_almostDependentColumns_staysAProjection() {
    double[] near = new double[ROWS];
    Arrays.setAll(near, row -> COLUMNS[0][row] + 1e-8 * COLUMNS[1][row]);
    ColumnSpan span = new ColumnSpan(new double[][] {COLUMNS[0], near}, WEIGHTS);
    assertThat(span.rank()).isEqualTo(2);
    double[] once = project(span, values(1));
    assertThat(project(span, once)).containsExactly(once, CLOSE);
    assertThat(once)
        .containsExactly(project(new ColumnSpan(COLUMNS, WEIGHTS), values(1)), within(1e-6));
  }

  @Test
  void projections_ofRows_areThoseOfTheDesign() {
    Rows.Builder builder = Rows.builder(1, 2);
    for (int row = 0; row < ROWS; row++) {
      double[] anchors = {COLUMNS[0][row], COLUMNS[1][row]};
      builder.add(new double[1], 0, WEIGHTS[row], "e" + GROUP_OF[row], anchors);
    }
    Rows rows = builder.build();
    GroupMeans groups = new GroupMeans(GROUP_OF, GROUPS, WEIGHTS);
    checkDesign(rows, new AnchorDesign.Environments(), groups);
    checkDesign(rows, new AnchorDesign.Continuous(false), new ColumnSpan(COLUMNS, WEIGHTS));
    checkDesign(rows, new AnchorDesign.Continuous(true), ColumnSpan.centred(COLUMNS, WEIGHTS));
    checkDesign(rows, new AnchorDesign.Mixed(), new Mixed(groups, COLUMNS, WEIGHTS));
  }

  @Test
  void projections_continuousDesignWithoutAnchors_isRefused() {
    Rows rows = Rows.builder(1).add(new double[1], 0, "here").build();
    assertThatThrownBy(() -> Projections.of(rows, new AnchorDesign.Mixed()))
        .hasMessage("a continuous anchor needs rows with at least 1 anchor value: they have 0");
  }

  private static void checkDesign(Rows rows, AnchorDesign design, Projection expected) {
    assertThat(project(Projections.of(rows, design), values(1)))
        .isEqualTo(project(expected, values(1)));
  }

  private static double[][] indicators() {
    double[][] indicators = new double[GROUPS][ROWS];
    for (int row = 0; row < ROWS; row++) {
      indicators[GROUP_OF[row]][row] = 1;
    }
    return indicators;
  }

  private static double[] permuted(double[] values, int[] order) {
    double[] permuted = new double[ROWS];
    Arrays.setAll(permuted, row -> values[order[row]]);
    return permuted;
  }

  private static double[] coupling(Projection projection) {
    double[] matrix = new double[9];
    projection.addCoupling(2, new double[][] {WEIGHTS}, new int[][] {LEAF_OF}, 3, matrix);
    return matrix;
  }

  @Test
  void groupMeans_sameAsTheSpanOfTheIndicators() {
    ColumnSpan span = new ColumnSpan(indicators(), WEIGHTS);
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
    new GroupMeans(GROUP_OF, GROUPS + 3, WEIGHTS)
        .addCoupling(1, new double[][] {WEIGHTS}, new int[][] {LEAF_OF}, 3, matrix);
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
