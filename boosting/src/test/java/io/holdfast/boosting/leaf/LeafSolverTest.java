package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.ColumnSpan;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.leaf.LeafSystem.LeafStep;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.GrowthSettings;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeafSolverTest {
  private static final LeafSettings FULL = new LeafSettings(1, 0, 0);

  /** y = (1, 0), f = (−3, −1), a column of ones, gamma 100: the smallest eigenvalue is −39.976. */
  @Test
  void solve_indefiniteSystem_takesASafeStepAndCountsIt() {
    Rows rows = Rows.builder(1).add(new double[] {0}, 1, "a").add(new double[] {1}, 0, "a").build();
    var span = new ColumnSpan(new double[][] {{1, 1}}, new double[] {1, 1});
    var objective = new AnchorObjective(new Probit(), rows, span, 100);
    double[] scores = {-3, -1};
    TreeStructure tree = oneLeafARow(rows);
    assertThat(LeafSystem.newton(at(objective, scores), layout(tree), 0, 0).step().descent())
        .isFalse();
    var solver = new LeafSolver(objective, scores, FULL, Safeguard.ON);
    double before = solver.state().loss().total();
    double[] values = solver.solve(List.of(tree))[0];
    assertThat(solver.safeguards()).isEqualTo(1);
    assertThat(solver.state().loss().total()).isLessThan(before);
    assertThat(values).isNotEqualTo(new double[2]);
  }

  @ParameterizedTest
  @CsvSource({"0, 0.3", "0, 1", "0.5, 1", "1, 1", "7, 1", "7, 0.1", "100, 1"})
  void solve_squared_neverRaisesTheLossNorNeedsHelp(double gamma, double learningRate) {
    Rows rows = rows(new Squared(), 60);
    var objective = anchored(new Squared(), rows, gamma);
    var solver =
        new LeafSolver(
            objective, new double[60], new LeafSettings(learningRate, 0, 1e-3), Safeguard.ON);
    for (int round = 0; round < 5; round++) {
      double before = solver.state().loss().total();
      solver.solve(List.of(grow(rows, solver.state(), 6)));
      double slack = 1e-11 * solver.state().loss().base();
      assertThat(solver.state().loss().total()).isLessThanOrEqualTo(before + slack);
    }
    assertThat(solver.safeguards()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 2, 7, 100})
  void solve_squaredWithFullStep_leavesNoSlopeInTheLeaves(double gamma) {
    Rows rows = rows(new Squared(), 60);
    var objective = anchored(new Squared(), rows, gamma);
    var solver = new LeafSolver(objective, new double[60], FULL, Safeguard.ON);
    TreeStructure tree = grow(rows, solver.state(), 6);
    solver.solve(List.of(tree));
    LeafSystem after = LeafSystem.newton(solver.state(), layout(tree), 0, 0);
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      assertThat(after.gradient(leaf)).isCloseTo(0, within(1e-9 * gamma));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "logistic, 0", "logistic, 1", "logistic, 7", "logistic, 1000",
    "probit, 0", "probit, 1", "probit, 7", "probit, 1000"
  })
  void solve_fromBadScores_neverRaisesTheLoss(String name, double gamma) {
    Objective loss = Objective.named(name);
    Rows rows = rows(loss, 80);
    var random = new SplittableRandom(3);
    double[] scores = new double[80];
    for (int row = 0; row < 80; row++) {
      scores[row] = 30 * random.nextDouble() - 15; // saturated, often on the wrong side
    }
    var solver = new LeafSolver(anchored(loss, rows, gamma), scores, FULL, Safeguard.ON);
    double first = solver.state().loss().total();
    for (int round = 0; round < 20; round++) {
      double before = solver.state().loss().total();
      solver.solve(List.of(grow(rows, solver.state(), 8)));
      assertThat(solver.state().loss().total())
          .isLessThanOrEqualTo(before + 1e-10 * Math.abs(before));
    }
    assertThat(solver.state().loss().total()).isLessThan(first);
  }

  @Test
  void solve_zeroCurvature_staysFiniteAndCounts() {
    // At score −800 the logistic hessian underflows to 0; so does the row's gradient if y = 0.
    Rows rows = Rows.builder(1).add(new double[] {0}, 0, "a").add(new double[] {1}, 1, "a").build();
    var objective = new AnchorObjective(new Logistic(), rows, GroupMeans.ofEnvironments(rows), 1);
    var solver = new LeafSolver(objective, new double[] {-800, -800}, FULL, Safeguard.ON);
    double[] values = solver.solve(List.of(oneLeafARow(rows)))[0];
    assertThat(values[0]).isFinite();
    assertThat(values[1]).isFinite().isPositive();
    assertThat(solver.safeguards()).isEqualTo(1);
    assertThat(solver.state().loss().total()).isLessThan(800);
  }

  /**
   * Environment a is foretold too high and b too low, but where each is alone in a leaf of a few
   * rows both are foretold as they are. For the mean residuals' sake those few would go down and up
   * by 27 in raw score, and an anchor loss that falls does not stop them.
   */
  @Test
  void solve_logLinkUnderAnAnchor_movesNoLeafFurtherThanItsQuadraticHolds() {
    Rows.Builder builder = Rows.builder(1);
    double[] scores = new double[220];
    for (int row = 0; row < scores.length; row++) {
      boolean first = row % 2 == 0;
      boolean alone = row < 20;
      double label = alone ? 40 : first ? 60 : 300;
      builder.add(new double[] {alone ? row % 2 : 2}, label, first ? "a" : "b");
      scores[row] = Math.log(alone ? 40 : 180);
    }
    Rows rows = builder.build();
    AnchorObjective objective = anchored(new Poisson(), rows, 4);
    double[] separating = new double[scores.length];
    for (int row = 0; row < scores.length; row++) {
      separating[row] = row >= 20 ? 9 : row % 2 == 0 ? -1 : 1;
    }
    double[] equal = new double[scores.length];
    Arrays.fill(equal, 1);
    TreeStructure tree = grower(rows, new TreeLimits(3, 4, 2, 0, 0)).grow(separating, equal);
    assertThat(tree.leaves()).isEqualTo(3);
    AnchorState state = at(objective, scores);
    assertThat(LeafSystem.newton(state, layout(tree), 0, 0).step().descent()).isFalse();
    LeafStep free = LeafSystem.gaussNewton(state, layout(tree), 0, 0).step();
    assertThat(free.within(2)).isFalse();

    var solver = new LeafSolver(objective, scores, new LeafSettings(0.1, 0, 0), Safeguard.ON);
    double before = solver.state().loss().total();
    double[] values = solver.solve(List.of(tree))[0];
    for (double value : values) {
      assertThat(value).isBetween(-0.1, 0.1);
    }
    assertThat(solver.safeguards()).isEqualTo(1);
    assertThat(solver.state().loss().total()).isLessThan(before);
  }

  /** A leaf that no other is coupled with takes the whole of its step, as published. */
  @Test
  void solve_logLinkWithoutAnAnchor_takesTheFullStep() {
    Rows rows = Rows.builder(1).add(new double[] {0}, 9, "a").add(new double[] {1}, 1, "b").build();
    var objective = anchored(new Poisson(), rows, 1);
    var solver = new LeafSolver(objective, new double[] {0, 0}, FULL, Safeguard.ON);
    LeafStep full = LeafSystem.newton(solver.state(), layout(oneLeafARow(rows)), 0, 0).step();
    assertThat(full.times(1)).containsExactlyInAnyOrder(8, 0);
    assertThat(full.within(1)).isFalse();
  }

  @Test
  void solve_safeguardOff_takesTheRawStep() {
    Rows rows = rows(new Logistic(), 40);
    var objective = anchored(new Logistic(), rows, 7);
    var solver =
        new LeafSolver(objective, new double[40], new LeafSettings(0.1, 0, 1), Safeguard.OFF);
    TreeStructure tree = grow(rows, solver.state(), 4);
    double[] raw = LeafSystem.newton(solver.state(), layout(tree), 0, 1).step().times(0.1);
    assertThat(solver.solve(List.of(tree))[0]).isEqualTo(raw);
  }

  private static AnchorObjective anchored(Objective objective, Rows rows, double gamma) {
    return new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), gamma);
  }

  private static LeafLayout layout(TreeStructure tree) {
    return Layouts.of(tree.leafOf(), tree.leaves());
  }

  private static AnchorState at(AnchorObjective objective, double[] scores) {
    AnchorState state = objective.newState();
    objective.evaluate(scores, state);
    return state;
  }

  private static TreeStructure oneLeafARow(Rows rows) {
    var limits = new TreeLimits(2, 1, 1, 0, 0);
    TreeStructure tree = grower(rows, limits).grow(new double[] {-1, 1}, new double[] {1, 1});
    assertThat(tree.leaves()).isEqualTo(2);
    return tree;
  }

  private static TreeStructure grow(Rows rows, AnchorState state, int maxLeaves) {
    double[] gradients = new double[rows.size()];
    double[] hessians = new double[rows.size()];
    state.gradients(gradients);
    state.growthHessians(hessians);
    var limits = new TreeLimits(maxLeaves, 4, 2, 0, 0);
    return grower(rows, limits).grow(gradients, hessians);
  }

  private static BinnedRows binned(Rows rows) {
    return BinnedRows.of(rows, List.of(new Feature.Numeric("x")), 255);
  }

  private static Rows rows(Objective objective, int size) {
    var random = new SplittableRandom(8);
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < size; row++) {
      double x = random.nextDouble();
      int environment = random.nextInt(3);
      double label = x + environment * 0.4 + random.nextDouble() - 1;
      rows.add(
          new double[] {x}, objective.binary() ? (label > 0 ? 1 : 0) : label, "e" + environment);
    }
    return rows.build();
  }

  private static TreeGrower grower(Rows rows, TreeLimits limits) {
    return new TreeGrower(binned(rows), GrowthSettings.of(limits, Penalties.ridge(0)));
  }
}
