package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.anchor.Projections;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearFitTest {
  private static final Objective SQUARED = new Squared();

  private static Base fit(
      Objective objective, Rows rows, List<Feature> features, double gamma, LinearBase settings) {
    Projection anchor = GroupMeans.ofEnvironments(rows);
    return LinearSamples.fit(
            objective.fittedTo(rows), rows, features, anchor, gamma, settings, List.of())
        .base();
  }

  private static LinearTerm.Numeric numeric(Base base, int term) {
    return (LinearTerm.Numeric) base.terms().get(term);
  }

  /**
   * Anchor regression as least squares on (I + (√γ − 1) P) (y, X), ridge on standardised slopes.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "1, 0.3", "0.3, 0.2", "7, 0", "7, 0.3", "0, 0.2", "1e4, 0.01"})
  void squared_isLeastSquaresOnTransformedData(double gamma, double strength) {
    Rows rows = LinearSamples.anchored(1, 200);
    for (AnchorDesign design :
        List.of(
            new AnchorDesign.Environments(),
            new AnchorDesign.Continuous(true),
            new AnchorDesign.Mixed())) {
      Projection anchor = Projections.of(rows, design);
      Base base =
          LinearSamples.fit(
                  SQUARED,
                  rows,
                  LinearSamples.numeric(2),
                  anchor,
                  gamma,
                  new LinearBase(strength, 0),
                  List.of())
              .base();
      double[] expected = transformedLeastSquares(rows, anchor, gamma, strength);
      for (int k = 0; k < 2; k++) {
        assertThat(numeric(base, k).slope(0))
            .as("%s, slope %s", design, k)
            .isCloseTo(expected[k + 1], within(1e-8 * Math.abs(expected[k + 1]) + 1e-10));
      }
      if (gamma > 0) {
        assertThat(base.score(new double[2])).isCloseTo(expected[0], within(1e-7));
      }
    }
  }

  /** Intercept at 0 and slopes. */
  private static double[] transformedLeastSquares(
      Rows rows, Projection anchor, double gamma, double strength) {
    int n = rows.size();
    double[][] columns = new double[4][n]; // 1, x0, x1, y
    double total = 0;
    for (int row = 0; row < n; row++) {
      columns[0][row] = 1;
      columns[1][row] = rows.feature(row, 0);
      columns[2][row] = rows.feature(row, 1);
      columns[3][row] = rows.label(row);
      total += rows.weight(row);
    }
    double[] variance = new double[3];
    for (int k = 1; k < 3; k++) {
      double mean = 0;
      for (int row = 0; row < n; row++) {
        mean += rows.weight(row) * columns[k][row] / total;
      }
      for (int row = 0; row < n; row++) {
        variance[k] += rows.weight(row) * Math.pow(columns[k][row] - mean, 2) / total;
      }
    }
    DMatrixRMaj x = new DMatrixRMaj(n, 3);
    DMatrixRMaj y = new DMatrixRMaj(n, 1);
    double[] projected = new double[n];
    for (int k = 0; k < 4; k++) {
      anchor.project(columns[k], projected);
      for (int row = 0; row < n; row++) {
        double value = columns[k][row] + (Math.sqrt(gamma) - 1) * projected[row];
        (k < 3 ? x : y).set(row, k % 3, value * Math.sqrt(rows.weight(row)));
      }
    }
    DMatrixRMaj normal = new DMatrixRMaj(3, 3);
    CommonOps_DDRM.multTransA(x, x, normal);
    for (int k = 1; k < 3; k++) {
      normal.add(k, k, total * strength * variance[k]);
    }
    DMatrixRMaj right = new DMatrixRMaj(3, 1);
    CommonOps_DDRM.multTransA(x, y, right);
    DMatrixRMaj pseudo = new DMatrixRMaj(3, 3);
    CommonOps_DDRM.pinv(normal, pseudo);
    DMatrixRMaj solution = new DMatrixRMaj(3, 1);
    CommonOps_DDRM.mult(pseudo, right, solution);
    return solution.getData().clone();
  }

  /** With as many instruments as features the limit is the instrumental-variable estimate. */
  @Test
  void hugeGamma_isTheInstrumentalVariableSolution() {
    Rows rows = LinearSamples.anchored(2, 2000);
    Projection anchor = Projections.of(rows, new AnchorDesign.Continuous(true));
    List<Feature> features = LinearSamples.numeric(2);
    double[] distance = new double[3];
    double[] gammas = {1, 100, 1e9};
    double[] iv = twoStageLeastSquares(rows, anchor);
    for (int k = 0; k < gammas.length; k++) {
      Base base =
          LinearSamples.fit(
                  SQUARED, rows, features, anchor, gammas[k], new LinearBase(0, 0), List.of())
              .base();
      distance[k] =
          Math.abs(numeric(base, 0).slope(0) - iv[0])
              + 10 * Math.abs(numeric(base, 1).slope(0) - iv[1]);
    }
    assertThat(distance[1]).isLessThan(0.2 * distance[0]);
    assertThat(distance[2]).isLessThan(1e-6);
    assertThat(iv[0]).isCloseTo(2, within(0.3)); // what moves the label, without the hidden cause
  }

  private static double[] twoStageLeastSquares(Rows rows, Projection anchor) {
    int n = rows.size();
    DMatrixRMaj projected = new DMatrixRMaj(n, 2);
    DMatrixRMaj plain = new DMatrixRMaj(n, 2);
    DMatrixRMaj labels = new DMatrixRMaj(n, 1);
    double[] column = new double[n];
    double[] target = new double[n];
    for (int k = 0; k < 2; k++) {
      rows.copyColumn(k, column);
      anchor.project(column, target);
      for (int row = 0; row < n; row++) {
        projected.set(row, k, target[row] * rows.weight(row));
        plain.set(row, k, column[row]);
        labels.set(row, 0, rows.label(row));
      }
    }
    DMatrixRMaj left = new DMatrixRMaj(2, 2);
    DMatrixRMaj right = new DMatrixRMaj(2, 1);
    DMatrixRMaj solution = new DMatrixRMaj(2, 1);
    CommonOps_DDRM.multTransA(projected, plain, left);
    CommonOps_DDRM.multTransA(projected, labels, right);
    CommonOps_DDRM.solve(left, right, solution);
    return solution.getData().clone();
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.boosting.linear.LinearSamples#objectives")
  void gammaOne_asksNoAnchor(Objective objective) {
    Rows rows = LinearSamples.mixed(objective, 4, 200);
    Objective fitted = objective.fittedTo(rows);
    var settings = new LinearBase(0.05, 0.5);
    Base plain =
        LinearSamples.fit(
                fitted, rows, LinearSamples.FEATURES, new NoAnchor(200), 1, settings, List.of())
            .base();
    assertThat(fit(objective, rows, LinearSamples.FEATURES, 1, settings)).isEqualTo(plain);
    assertThat(plain.terms()).isNotEmpty();
  }

  /** Refuses to project. */
  private record NoAnchor(int rows) implements Projection {
    @Override
    public int rank() {
      return 0;
    }

    @Override
    public void project(double[] values, double[] target) {
      throw new AssertionError("gamma 1 has no anchor");
    }

    @Override
    public void addCoupling(
        double scale, double[][] weighted, int[][] columnOf, int columns, double[] matrix) {
      throw new AssertionError("gamma 1 has no anchor");
    }

    @Override
    public void addFactor(double[] weighted, int[] columnOf, int columns, double[] target) {
      throw new AssertionError("gamma 1 has no anchor");
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 5})
  void weightTwo_isTheRowTwice(double gamma) {
    var random = new SplittableRandom(5);
    Rows.Builder weighted = Rows.builder(3);
    Rows.Builder repeated = Rows.builder(3);
    List<Feature> features =
        List.of(
            new Feature.Numeric("x"),
            new Feature.Numeric("y"),
            new Feature.Categorical("kind", List.of("a", "b")));
    for (int row = 0; row < 80; row++) {
      double[] values = {random.nextGaussian(), random.nextInt(7) == 0 ? Double.NaN : row, row % 2};
      double label = values[0] + 0.1 * row + random.nextDouble();
      int times = 1 + random.nextInt(2);
      weighted.add(values, label, times, "e" + row % 3);
      for (int k = 0; k < times; k++) {
        repeated.add(values, label, "e" + row % 3);
      }
    }
    var settings = new LinearBase(0.1, 0.5);
    Base one = fit(SQUARED, weighted.build(), features, gamma, settings);
    Base other = fit(SQUARED, repeated.build(), features, gamma, settings);
    assertSameScores(one, other, weighted.build(), 1e-9);
  }

  private static void assertSameScores(Base one, Base other, Rows rows, double tolerance) {
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      assertThat(one.score(values)).isCloseTo(other.score(values), within(tolerance));
    }
  }

  @Test
  void orderOfRows_changesRoundingOnly() {
    Rows rows = LinearSamples.mixed(Objective.named("logistic"), 6, 250);
    var settings = new LinearBase(0.01, 0.5);
    Base one = fit(Objective.named("logistic"), rows, LinearSamples.FEATURES, 5, settings);
    Base other =
        fit(
            Objective.named("logistic"),
            LinearSamples.permuted(rows),
            LinearSamples.FEATURES,
            5,
            settings);
    assertSameScores(one, other, rows, 1e-7);
  }

  @Test
  void constantMissingAndHugeColumns_areHarmless() {
    Rows clean = LinearSamples.anchored(7, 150);
    Rows.Builder builder = Rows.builder(7);
    for (int row = 0; row < clean.size(); row++) {
      double[] values = {
        clean.feature(row, 0),
        Double.NaN,
        0.1,
        clean.feature(row, 1),
        row % 2 == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY,
        row % 3 == 0 ? Double.MAX_VALUE : 5,
        1
      };
      String environment = clean.environments().get(clean.environment(row));
      builder.add(values, clean.label(row), clean.weight(row), environment);
    }
    List<Feature> features =
        List.of(
            new Feature.Numeric("x0"),
            new Feature.Numeric("missing"),
            new Feature.Numeric("constant"),
            new Feature.Numeric("x1"),
            new Feature.Numeric("infinite"),
            new Feature.Numeric("huge"),
            new Feature.Categorical("kind", List.of("a", "b")));
    for (double gamma : new double[] {1, 6}) {
      var settings = new LinearBase(0.1, 0.3);
      Base base = fit(SQUARED, builder.build(), features, gamma, settings);
      Base expected = fit(SQUARED, clean, LinearSamples.numeric(2), gamma, settings);
      assertThat(base.terms()).hasSize(2);
      for (int k = 0; k < 2; k++) {
        assertThat(numeric(base, k).slope(0)).isEqualTo(numeric(expected, k).slope(0));
      }
    }
  }

  @Test
  void missingValue_countsAsTheMean_andUnseenCategoryAsNone() {
    Rows rows = LinearSamples.mixed(SQUARED, 8, 300);
    Base base = fit(SQUARED, rows, LinearSamples.FEATURES, 1, new LinearBase(0.001, 0));
    double mean = numeric(base, 0).mean();
    assertThat(base.score(new double[] {Double.NaN, 2, 1000, 0}))
        .isEqualTo(base.score(new double[] {mean, 2, 1000, 0}));
    assertThat(base.score(new double[] {Double.NEGATIVE_INFINITY, 2, 1000, 0}))
        .isEqualTo(base.score(new double[] {mean, 2, 1000, 0}));
    double unseen = base.score(new double[] {1, 7, 1000, 0});
    assertThat(base.score(new double[] {1, Double.NaN, 1000, 0})).isEqualTo(unseen);
    var kind = (LinearTerm.Categorical) base.terms().get(1);
    assertThat(base.score(new double[] {1, 2, 1000, 0}))
        .isCloseTo(unseen + kind.effect(2, 0), within(1e-12));
    assertThat(kind.effect(2, 0) - kind.effect(0, 0)).isCloseTo(0.7, within(0.3));
  }

  @Test
  void twins_shareTheSlope() {
    Rows single = LinearSamples.anchored(9, 100);
    Rows.Builder builder = Rows.builder(3);
    for (int row = 0; row < single.size(); row++) {
      double x = single.feature(row, 0);
      double[] values = {x, single.feature(row, 1), x};
      builder.add(values, single.label(row), single.weight(row), "e" + single.environment(row));
    }
    Rows twins = builder.build();
    Base one = fit(SQUARED, single, LinearSamples.numeric(2), 4, new LinearBase(0, 0));
    Base two = fit(SQUARED, twins, LinearSamples.numeric(3), 4, new LinearBase(0, 0));
    assertThat(numeric(two, 0).slope(0)).isCloseTo(numeric(two, 2).slope(0), within(1e-6));
    assertThat(numeric(two, 0).slope(0) + numeric(two, 2).slope(0))
        .isCloseTo(numeric(one, 0).slope(0), within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1})
  void moreColumnsThanRows_areFine(double ratio) {
    var random = new SplittableRandom(10);
    Rows.Builder builder = Rows.builder(60);
    for (int row = 0; row < 25; row++) {
      double[] values = new double[60];
      Arrays.setAll(values, column -> random.nextGaussian());
      builder.add(values, 3 * values[4] - 2 * values[17] + 1, "e" + row % 2);
    }
    Rows rows = builder.build();
    for (double gamma : new double[] {1, 10}) {
      Base base = fit(SQUARED, rows, LinearSamples.numeric(60), gamma, new LinearBase(0.01, ratio));
      double[] values = new double[60];
      double loss = 0;
      for (int row = 0; row < 25; row++) {
        rows.copyFeatures(row, values);
        loss += Math.pow(rows.label(row) - base.score(values), 2) / 25;
      }
      assertThat(loss).isLessThan(0.1);
      if (ratio == 1) {
        assertThat(base.terms()).hasSizeLessThan(25);
        double four = 0;
        double seventeen = 0;
        for (LinearTerm term : base.terms()) {
          four = term.feature() == 4 ? ((LinearTerm.Numeric) term).slope(0) : four;
          seventeen = term.feature() == 17 ? ((LinearTerm.Numeric) term).slope(0) : seventeen;
        }
        assertThat(four).isCloseTo(3, within(0.2));
        assertThat(seventeen).isCloseTo(-2, within(0.2));
      }
    }
    assertThat(fit(SQUARED, rows, LinearSamples.numeric(60), 1, new LinearBase(0, 0)).terms())
        .hasSize(60);
  }

  @ParameterizedTest
  @MethodSource("io.holdfast.boosting.linear.LinearSamples#objectives")
  void hugeStrength_leavesTheConstant(Objective objective) {
    Rows rows = LinearSamples.mixed(objective, 11, 200);
    Base base = fit(objective, rows, LinearSamples.FEATURES, 1, new LinearBase(1e6, 1));
    assertThat(base.terms()).isEmpty();
    double[] initial = objective.fittedTo(rows).initialScores(rows);
    double[] values = new double[4];
    double[] scores = new double[initial.length];
    base.score(values, scores);
    if (objective.name().equals("squared") || objective.name().equals("poisson")) {
      assertThat(scores).containsExactly(initial, within(1e-9));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.5, 0.9})
  void quantile_hasAboutItsShareOfLabelsBelow(double alpha) {
    Rows rows = LinearSamples.mixed(SQUARED, 12, 1000);
    Base base = fit(new Quantile(alpha), rows, LinearSamples.FEATURES, 1, new LinearBase(0, 0));
    double[] values = new double[4];
    double below = 0;
    double total = 0;
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      below += rows.label(row) <= base.score(values) ? rows.weight(row) : 0;
      total += rows.weight(row);
    }
    assertThat(below / total).isCloseTo(alpha, within(0.01));
    assertThat(numeric(base, 0).slope(0)).isGreaterThan(0.7);
  }

  @Test
  void absolute_isTheMedian_andShrugsOffOutliers() {
    Rows.Builder builder = Rows.builder(1);
    var random = new SplittableRandom(13);
    for (int row = 0; row < 300; row++) {
      double x = random.nextGaussian();
      builder.add(
          new double[] {x}, row % 10 == 0 ? 1000 : 2 * x + 0.1 * random.nextGaussian(), "e");
    }
    for (Objective objective :
        List.of(Objective.named("absolute"), Objective.of("huber", Map.of("delta", 0.1)))) {
      Base base =
          fit(objective, builder.build(), LinearSamples.numeric(1), 1, new LinearBase(0, 0));
      assertThat(numeric(base, 0).slope(0))
          .isCloseTo(2, within(objective.anchorable() ? 0.05 : 0.3));
    }
  }

  @Test
  void separableClasses_endFinitely() {
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 20; row++) {
      builder.add(new double[] {row}, row < 10 ? 0 : 1, "e" + row % 2);
    }
    for (Objective objective :
        List.of(Objective.named("logistic"), Objective.named("probit"), new Softmax(2))) {
      for (double gamma : new double[] {0.5, 1, 50}) {
        Base base =
            fit(objective, builder.build(), LinearSamples.numeric(1), gamma, new LinearBase(0, 0));
        double[] scores = new double[objective.outputs()];
        base.score(new double[] {3}, scores);
        assertThat(objective.prediction(scores)).isLessThan(0.5);
        base.score(new double[] {16}, scores);
        assertThat(objective.prediction(scores)).isGreaterThan(0.5);
      }
    }
  }

  @Test
  void oneRowOrOneLabel_givesTheConstant() {
    Rows one = Rows.builder(2).add(new double[] {1, 2}, 7, "e").build();
    Base base = fit(SQUARED, one, LinearSamples.numeric(2), 3, new LinearBase(0, 0));
    assertThat(base).isEqualTo(Base.constant(7));
    Rows.Builder builder = Rows.builder(2);
    for (int row = 0; row < 10; row++) {
      builder.add(new double[] {row, row * row}, 1, "e");
    }
    for (String name : List.of("squared", "logistic", "absolute", "poisson")) {
      Base alike =
          fit(
              Objective.named(name),
              builder.build(),
              LinearSamples.numeric(2),
              1,
              new LinearBase(0.1, 0));
      double[] values = {3, 9};
      double prediction = Objective.named(name).prediction(alike.score(values));
      assertThat(prediction).as(name).isCloseTo(1, within(0.06));
    }
  }

  @Test
  void ordinal_learnsThresholdsWithTheBase() {
    Objective ordinal = Objective.of("ordinal", Map.of("classes", 3.0));
    Rows rows = LinearSamples.mixed(ordinal, 14, 600);
    Objective first = ordinal.fittedTo(rows);
    LinearFit fit =
        LinearSamples.fit(
            first,
            rows,
            LinearSamples.FEATURES,
            GroupMeans.ofEnvironments(rows),
            1,
            new LinearBase(1e-4, 0),
            List.of());
    assertThat(fit.objective()).isNotEqualTo(first);
    assertThat(fit.objective().unfitted()).isEqualTo(first.unfitted());
    assertThat(loss(fit.objective(), fit.base(), rows))
        .isLessThan(loss(first, fit.base(), rows))
        .isLessThan(0.7 * loss(first, Base.constant(first.initialScores(rows)), rows));
  }

  private static double loss(Objective objective, Base base, Rows rows) {
    double[] scores =
        Scorer.of(new Model(objective, LinearSamples.FEATURES, base, List.of())).scores(rows);
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += rows.weight(row) * objective.loss(rows.label(row), new double[] {scores[row]});
    }
    return sum;
  }
}
