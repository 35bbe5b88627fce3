package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.objective.Absolute;
import io.holdfast.boosting.objective.AnchorableObjectives;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Quantile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of leaf values for every objective, whatever the leaves. */
class LeafLawsTest {
  private static final int ROWS = 80;
  private static final int LEAVES = 5;

  static Stream<Objective> objectives() {
    return Stream.concat(
        AnchorableObjectives.stream(), Stream.of(new Absolute(), new Quantile(0.8)));
  }

  static Stream<Arguments> strengths() {
    Stream<Arguments> anchored =
        AnchorableObjectives.stream()
            .flatMap(o -> Stream.of(0.0, 0.3, 1.0, 7.0, 1000.0).map(g -> Arguments.of(o, g)));
    return Stream.concat(
        anchored, Stream.of(Arguments.of(new Absolute(), 1), Arguments.of(new Quantile(0.8), 1)));
  }

  /** From scores far off, with no penalty to help, by one tree after the other. */
  @ParameterizedTest
  @MethodSource("strengths")
  void solve_fromBadScores_neverRaisesTheLoss(Objective objective, double gamma) {
    for (LeafSettings settings :
        List.of(new LeafSettings(1, 0, 0), new LeafSettings(0.1, 0, 0), l1AndRidge())) {
      Rows rows = rows(objective, 1);
      LeafSolver solver = solver(objective, rows, gamma, scores(objective, 6), settings);
      double first = solver.state().loss().total();
      for (int round = 0; round < 12; round++) {
        double before = solver.state().loss().total();
        double size = solver.state().loss().base() + Math.abs(solver.state().loss().penalty());
        LeafLayout layout = layout(objective, round % 2 == 0, round);
        for (double value : take(solver, layout)) {
          assertThat(value).isFinite();
        }
        assertThat(solver.state().loss().total()).isLessThanOrEqualTo(before + 1e-10 * size);
      }
      assertThat(solver.state().loss().total()).isLessThan(first);
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void step_gammaOne_isThePlainStepBitForBit(Objective objective) {
    Rows rows = rows(objective, 1);
    LeafLayout layout = layout(objective, true, 1);
    double[] scores = scores(objective, 1);
    double[] anchored = solver(objective, rows, 1, scores, l1AndRidge()).step(layout);
    double[] ones = new double[ROWS];
    Arrays.fill(ones, 1);
    var alone = new AnchorObjective(objective, rows, GroupMeans.ofAll(ones), 1);
    double[] plain = new LeafSolver(alone, scores, l1AndRidge(), Safeguard.ON).step(layout);
    assertThat(anchored).isEqualTo(plain);
  }

  /** Up to the rounding of sums that are added up in another order. */
  @ParameterizedTest
  @MethodSource("objectives")
  void step_rowsInAnotherOrder_isTheSame(Objective objective) {
    double gamma = objective.anchorable() ? 4 : 1;
    Rows rows = rows(objective, 1);
    int[] order = new int[ROWS];
    Arrays.setAll(order, row -> (row * 7 + 3) % ROWS);
    double[] scores = scores(objective, 1);
    double[] permuted =
        solver(
                objective,
                picked(rows, order, 1),
                gamma,
                picked(scores, order, objective.outputs()),
                ridge())
            .step(layout(objective, picked(leafOf(1), order)));
    double[] expected =
        solver(objective, rows, gamma, scores, ridge()).step(layout(objective, leafOf(1)));
    assertThat(permuted).containsExactly(expected, within(1e-9 * largest(expected)));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void step_weightTwo_isTheRowTwice(Objective objective) {
    double gamma = objective.anchorable() ? 4 : 1;
    Rows rows = rows(objective, 1);
    int[] twice = new int[2 * ROWS];
    Arrays.setAll(twice, row -> row % ROWS);
    double[] scores = scores(objective, 1);
    int[] once = new int[ROWS];
    Arrays.setAll(once, row -> row);
    double[] heavy =
        solver(objective, picked(rows, once, 2), gamma, scores, ridge())
            .step(layout(objective, leafOf(1)));
    double[] doubled =
        solver(
                objective,
                picked(rows, twice, 1),
                gamma,
                picked(scores, twice, objective.outputs()),
                ridge())
            .step(layout(objective, picked(leafOf(1), twice)));
    assertThat(doubled).containsExactly(heavy, within(1e-9 * largest(heavy)));
  }

  @Test
  void step_lossWithoutCurvature_takesTheWeightedQuantileOfTheResiduals() {
    Rows rows =
        Rows.builder(1)
            .add(new double[1], 1, 1, "a")
            .add(new double[1], 9, 5, "a")
            .add(new double[1], 4, 1, "a")
            .add(new double[1], -2, 1, "a")
            .add(new double[1], 6, 1, "a")
            .build();
    var objective = new AnchorObjective(new Absolute(), rows, GroupMeans.ofEnvironments(rows), 1);
    double[] scores = {0, 1, 2, 0, 0};
    LeafLayout layout = Layouts.of(new int[] {0, 0, 0, 1, 1}, 2);
    var solver = new LeafSolver(objective, scores, new LeafSettings(0.5, 0, 7), Safeguard.ON);
    // Residuals 1, 8 (weight 5) and 2; −2 and 6.
    assertThat(solver.step(layout)).containsExactly(4, 1);
    LeafBounds bounds = new LeafBounds(new double[] {-3, -3}, new double[] {3, 3});
    LeafLayout bounded =
        new LeafLayout(List.of(new LeafLayout.Leaves(new int[] {0, 0, 0, 1, 1}, 0, 1, bounds)));
    assertThat(solver.step(bounded)).containsExactly(1.5, 1);
    assertThat(solver.safeguards()).isZero();
  }

  static Stream<Arguments> learning() {
    return Stream.of(
            new Ordinal(4, OrdinalLink.LOGIT),
            new Ordinal(3, OrdinalLink.PROBIT),
            Beta.ofEstimatedPrecision())
        .flatMap(o -> Stream.of(0.0, 1.0, 7.0, 1000.0).map(gamma -> Arguments.of(o, gamma)));
  }

  @ParameterizedTest
  @MethodSource("learning")
  void refitObjective_neverRaisesTheAnchorLoss(Objective objective, double gamma) {
    Rows rows = rows(objective, 1);
    LeafSolver solver = solver(objective, rows, gamma, scores(objective, 2), ridge());
    for (int round = 0; round < 5; round++) {
      double before = solver.state().loss().total();
      solver.refitObjective(rows);
      double after = solver.state().loss().total();
      assertThat(after).isLessThanOrEqualTo(before + 1e-10 * Math.abs(before));
      if (gamma == 1 && round == 0) {
        assertThat(after).isLessThan(before);
        assertThat(solver.objective()).isNotEqualTo(objective);
      }
      assertThat(solver.objective().unfitted()).isEqualTo(objective.unfitted());
      take(solver, layout(objective, true, round));
    }
  }

  private static LeafSettings ridge() {
    return new LeafSettings(1, 0, 0.5);
  }

  private static LeafSettings l1AndRidge() {
    return new LeafSettings(1, 0.2, 0.5);
  }

  private static double[] take(LeafSolver solver, LeafLayout layout) {
    double[] values = solver.step(layout);
    solver.advance(layout, values);
    return values;
  }

  private static LeafSolver solver(
      Objective objective, Rows rows, double gamma, double[] scores, LeafSettings settings) {
    var anchored = new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), gamma);
    return new LeafSolver(anchored, scores, settings, Safeguard.ON);
  }

  /** The same leaves in each class. */
  private static LeafLayout layout(Objective objective, int[] leafOf) {
    return Layouts.perOutput(leafOf, LEAVES, objective.outputs());
  }

  /** A tree a class, or one for all of them. */
  private static LeafLayout layout(Objective objective, boolean perClass, long seed) {
    if (!perClass) {
      return Layouts.vector(leafOf(seed), LEAVES, objective.outputs());
    }
    List<LeafLayout.Leaves> trees = new ArrayList<>();
    for (int k = 0; k < objective.outputs(); k++) {
      trees.add(new LeafLayout.Leaves(leafOf(seed + k), k, 1, LeafBounds.none(LEAVES)));
    }
    return new LeafLayout(trees);
  }

  private static int[] leafOf(long seed) {
    var random = new SplittableRandom(seed);
    int[] leafOf = new int[ROWS];
    Arrays.setAll(leafOf, row -> random.nextInt(LEAVES));
    return leafOf;
  }

  private static double[] scores(Objective objective, double width) {
    var random = new SplittableRandom(5);
    double[] scores = new double[ROWS * objective.outputs()];
    Arrays.setAll(scores, k -> 2 * width * (random.nextDouble() - 0.5));
    return scores;
  }

  private static Rows rows(Objective objective, long seed) {
    var random = new SplittableRandom(seed);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < ROWS; row++) {
      double label = SampleRows.labelFor(objective, 4 * random.nextDouble() - 2);
      builder.add(new double[1], label, 0.3 + random.nextDouble(), "e" + random.nextInt(4));
    }
    return builder.build();
  }

  private static Rows picked(Rows rows, int[] order, double times) {
    Rows.Builder builder = Rows.builder(1);
    for (int row : order) {
      builder.add(
          new double[1], rows.label(row), times * rows.weight(row), "e" + rows.environment(row));
    }
    return builder.build();
  }

  private static double[] picked(double[] scores, int[] order, int outputs) {
    double[] picked = new double[order.length * outputs];
    for (int k = 0; k < outputs; k++) {
      for (int row = 0; row < order.length; row++) {
        picked[k * order.length + row] = scores[k * ROWS + order[row]];
      }
    }
    return picked;
  }

  private static int[] picked(int[] leafOf, int[] order) {
    int[] picked = new int[order.length];
    Arrays.setAll(picked, row -> leafOf[order[row]]);
    return picked;
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElseThrow();
  }
}
