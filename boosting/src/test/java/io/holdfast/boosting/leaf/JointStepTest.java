package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.leaf.LeafSystem.LeafStep;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One step over the leaves of several classes, and steps with an l1 penalty and bounds. */
class JointStepTest {
  private static final int ROWS = 60;
  private static final int CLASSES = 3;
  private static final int LEAVES = 4;

  /** Different trees a class, which cross: all leaves are linked, and only their mean is free. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 2, 7})
  void step_softmaxWithoutRidge_isTheLimitOfSmallRidges(double gamma) {
    AnchorState state = state(new Softmax(CLASSES), gamma);
    LeafLayout layout = crossing();
    assertThat(layout.links()).containsOnly(0);
    LeafStep step = LeafSystem.newton(state, layout, 0, 0).step();
    assertThat(step.descent()).isTrue();
    double[] values = step.times(1);
    assertThat(Arrays.stream(values).sum()).isCloseTo(0, within(1e-12));
    double[] ridged = LeafSystem.newton(state, layout, 0, 1e-9).step().times(1);
    assertThat(ridged).containsExactly(values, within(1e-6));
    checkNoSlopeLeft(LeafSystem.newton(state, layout, 0, 0), values);
  }

  /** The same leaves in every class: the mean of each leaf's values is free by itself. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 7})
  void step_softmaxWithTheSameLeaves_hasMeanZeroInEachLeaf(double gamma) {
    AnchorState state = state(new Softmax(CLASSES), gamma);
    LeafLayout vector = Layouts.vector(leafOf(1), LEAVES, CLASSES);
    LeafSystem system = LeafSystem.newton(state, vector, 0, 0);
    double[] values = system.step().times(1);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      double sum = 0;
      for (int k = 0; k < CLASSES; k++) {
        sum += values[leaf * CLASSES + k];
      }
      assertThat(sum).isCloseTo(0, within(1e-12));
    }
    checkNoSlopeLeft(system, values);
    LeafLayout perClass = Layouts.perOutput(leafOf(1), LEAVES, CLASSES);
    double[] byClass = LeafSystem.newton(state, perClass, 0, 0).step().times(1);
    for (int unknown = 0; unknown < byClass.length; unknown++) {
      double expected = values[unknown % LEAVES * CLASSES + unknown / LEAVES];
      assertThat(byClass[unknown]).isCloseTo(expected, within(1e-11));
    }
  }

  /** Leaves of one tree share no rows: each by itself has the values that all together have. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.7})
  void step_softmaxLeafByLeaf_isTheStepOfAllToTheLastBit(double ridge) {
    AnchorState state = state(new Softmax(CLASSES), 1);
    int[] leafOf = leafOf(1);
    Arrays.setAll(leafOf, row -> leafOf[row] == 2 ? 3 : leafOf[row]); // leaf 2 has no rows
    LeafSystem byLeaf = LeafSystem.newton(state, Layouts.vector(leafOf, LEAVES, CLASSES), 0, ridge);
    LeafSystem dense = LeafSystem.newton(state, bounded(leafOf, CLASSES, 1e9), 0, ridge);
    assertThat(byLeaf.step().descent()).isTrue();
    assertThat(byLeaf.step().times(1)).containsExactly(dense.step().times(1));
    assertThat(byLeaf.plusRidge(3).step().times(1))
        .containsExactly(dense.plusRidge(3).step().times(1));
    assertThat(byLeaf.scale()).isEqualTo(dense.scale());
    for (int a = 0; a < LEAVES * CLASSES; a++) {
      assertThat(byLeaf.gradient(a)).isEqualTo(dense.gradient(a));
      for (int b = 0; b < LEAVES * CLASSES; b++) {
        assertThat(byLeaf.curvature(a, b)).isEqualTo(dense.curvature(a, b));
      }
    }
  }

  /** Two classes are the logistic loss of the difference; the penalty counts everything twice. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 4, 20})
  void step_twoClasses_isTheLogisticStepOfTheDifference(double gamma) {
    Rows rows = rows(new Logistic());
    double[] difference = scores(ROWS);
    double[] scores = new double[2 * ROWS];
    System.arraycopy(difference, 0, scores, ROWS, ROWS);
    AnchorState two = state(new Softmax(2), rows, gamma, scores);
    AnchorState one = state(new Logistic(), rows, 1 + 2 * (gamma - 1), difference);
    double[] values =
        LeafSystem.newton(two, Layouts.perOutput(leafOf(1), LEAVES, 2), 0, 0).step().times(1);
    double[] logistic = LeafSystem.newton(one, Layouts.of(leafOf(1), LEAVES), 0, 0).step().times(1);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      assertThat(values[LEAVES + leaf] - values[leaf])
          .isCloseTo(logistic[leaf], within(1e-10 * Math.abs(logistic[leaf])));
    }
  }

  @Test
  void step_leafWithoutRows_staysZero() {
    AnchorState state = state(new Softmax(CLASSES), 7);
    LeafLayout layout = Layouts.perOutput(leafOf(1), LEAVES + 1, CLASSES);
    LeafStep step = LeafSystem.newton(state, layout, 0, 0).step();
    assertThat(step.descent()).isTrue();
    double[] without =
        LeafSystem.newton(state, Layouts.perOutput(leafOf(1), LEAVES, CLASSES), 0, 0)
            .step()
            .times(1);
    for (int k = 0; k < CLASSES; k++) {
      assertThat(step.times(1)[k * (LEAVES + 1) + LEAVES]).isZero();
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        assertThat(step.times(1)[k * (LEAVES + 1) + leaf])
            .isCloseTo(without[k * LEAVES + leaf], within(1e-12));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 7})
  void step_l1Penalty_isASoftThreshold(double gamma) {
    AnchorState state = state(new Squared(), gamma);
    LeafLayout layout = Layouts.of(leafOf(1), LEAVES);
    LeafSystem plain = LeafSystem.newton(state, layout, 0, 2);
    double[] values = LeafSystem.newton(state, layout, 3, 2).step().times(1);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      double slope = plain.gradient(leaf);
      for (int other = 0; other < LEAVES; other++) {
        slope += plain.curvature(leaf, other) * values[other];
      }
      if (values[leaf] == 0) {
        assertThat(slope).isBetween(-3.0, 3.0);
      } else {
        assertThat(slope).isCloseTo(-3 * Math.signum(values[leaf]), within(1e-10));
      }
    }
    assertThat(values).isNotEqualTo(plain.step().times(1));
    assertThat(LeafSystem.newton(state, layout, 1e9, 2).step().times(1)).containsOnly(0);
  }

  /** Without a ridge the penalty alone says how the values of a row's classes are shifted. */
  @Test
  void step_softmaxWithL1AndNoRidge_isFiniteAndLeavesNoSlope() {
    AnchorState state = state(new Softmax(CLASSES), 7);
    LeafLayout layout = crossing();
    LeafSystem plain = LeafSystem.newton(state, layout, 0, 0);
    double[] values = LeafSystem.newton(state, layout, 0.5, 0).step().times(1);
    for (int a = 0; a < layout.size; a++) {
      double slope = plain.gradient(a);
      for (int b = 0; b < layout.size; b++) {
        slope += plain.curvature(a, b) * values[b];
      }
      assertThat(slope).isBetween(-0.5 - 1e-9, 0.5 + 1e-9);
      if (values[a] != 0) {
        assertThat(slope).isCloseTo(-0.5 * Math.signum(values[a]), within(1e-9));
      }
    }
  }

  @Test
  void step_bounds_areKeptAndTheRestIsSolvedFor() {
    AnchorState state = state(new Squared(), 7);
    LeafLayout free = Layouts.of(leafOf(1), LEAVES);
    double[] unbounded = LeafSystem.newton(state, free, 0, 0).step().times(1);
    LeafLayout loose = bounded(Math.abs(unbounded[0]) + 10);
    assertThat(LeafSystem.newton(state, loose, 0, 0).step().times(1)).isEqualTo(unbounded);
    double bound = 0.5 * Math.abs(unbounded[0]);
    LeafSystem system = LeafSystem.newton(state, bounded(bound), 0, 0);
    double[] values = system.step().times(1);
    assertThat(values).isNotEqualTo(unbounded);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      assertThat(values[leaf]).isBetween(-bound, bound);
      double slope = system.gradient(leaf);
      for (int other = 0; other < LEAVES; other++) {
        slope += system.curvature(leaf, other) * values[other];
      }
      if (Math.abs(values[leaf]) < bound) {
        assertThat(slope).isCloseTo(0, within(1e-10));
      } else {
        assertThat(slope * values[leaf]).isLessThanOrEqualTo(1e-10);
      }
    }
  }

  @Test
  void newton_moreLeavesThanAMatrixHolds_isRefused() {
    AnchorState state = state(new Squared(), 7);
    LeafLayout layout = Layouts.of(new int[ROWS], LeafLayout.MAX_COUPLED + 1);
    assertThatThrownBy(() -> LeafSystem.newton(state, layout, 0, 0))
        .hasMessageContaining("lower maxLeaves")
        .hasMessageEndingWith(": 4097");
    AnchorState plain = state(new Squared(), 1);
    assertThat(LeafSystem.newton(plain, layout, 0, 0).step().descent()).isTrue();
  }

  @Test
  void layout_treesOfDescendingOutputs_areRefused() {
    LeafBounds none = LeafBounds.none(1);
    List<LeafLayout.Leaves> trees =
        List.of(
            new LeafLayout.Leaves(new int[1], 1, 1, none),
            new LeafLayout.Leaves(new int[1], 0, 1, none));
    assertThatThrownBy(() -> new LeafLayout(trees))
        .hasMessage("trees of a joint step must add to ascending outputs: 0 after 1");
  }

  /**
   * As many environments as rows, and one for all: both spans hold every leaf indicator or none.
   */
  @Test
  void solve_anEnvironmentARow_isFiniteAndDescends() {
    Rows.Builder builder = Rows.builder(1);
    var random = new SplittableRandom(4);
    for (int row = 0; row < ROWS; row++) {
      builder.add(new double[] {row}, random.nextDouble(), "e" + row);
    }
    Rows rows = builder.build();
    for (double gamma : new double[] {0, 1, 7}) {
      var objective =
          new AnchorObjective(new Squared(), rows, GroupMeans.ofEnvironments(rows), gamma);
      var solver =
          new LeafSolver(objective, new double[ROWS], new LeafSettings(1, 0, 0), Safeguard.ON);
      double before = solver.state().loss().total();
      double[] values = solver.step(Layouts.of(leafOf(1), LEAVES));
      solver.advance(Layouts.of(leafOf(1), LEAVES), values);
      for (double value : values) {
        assertThat(value).isFinite();
      }
      assertThat(solver.state().loss().total()).isLessThanOrEqualTo(before + 1e-12);
    }
  }

  private static void checkNoSlopeLeft(LeafSystem system, double[] values) {
    for (int a = 0; a < values.length; a++) {
      double slope = system.gradient(a);
      for (int b = 0; b < values.length; b++) {
        slope += system.curvature(a, b) * values[b];
      }
      assertThat(slope).isCloseTo(0, within(1e-11));
    }
  }

  private static LeafLayout crossing() {
    return new LeafLayout(
        List.of(
            new LeafLayout.Leaves(leafOf(1), 0, 1, LeafBounds.none(LEAVES)),
            new LeafLayout.Leaves(leafOf(2), 1, 1, LeafBounds.none(LEAVES)),
            new LeafLayout.Leaves(leafOf(3), 2, 1, LeafBounds.none(LEAVES))));
  }

  private static LeafLayout bounded(double bound) {
    return bounded(leafOf(1), 1, bound);
  }

  private static LeafLayout bounded(int[] leafOf, int outputs, double bound) {
    double[] lower = new double[LEAVES];
    double[] upper = new double[LEAVES];
    Arrays.fill(lower, -bound);
    Arrays.fill(upper, bound);
    LeafBounds bounds = new LeafBounds(lower, upper);
    return new LeafLayout(List.of(new LeafLayout.Leaves(leafOf, 0, outputs, bounds)));
  }

  private static int[] leafOf(long seed) {
    var random = new SplittableRandom(seed);
    int[] leafOf = new int[ROWS];
    Arrays.setAll(leafOf, row -> row < LEAVES ? row : random.nextInt(LEAVES));
    return leafOf;
  }

  private static AnchorState state(Objective objective, double gamma) {
    return state(objective, rows(objective), gamma, scores(ROWS * objective.outputs()));
  }

  private static AnchorState state(Objective objective, Rows rows, double gamma, double[] scores) {
    var anchored = new AnchorObjective(objective, rows, GroupMeans.ofEnvironments(rows), gamma);
    AnchorState state = anchored.newState();
    anchored.evaluate(scores, state);
    return state;
  }

  private static double[] scores(int size) {
    var random = new SplittableRandom(5);
    double[] scores = new double[size];
    Arrays.setAll(scores, k -> random.nextDouble() - 0.5);
    return scores;
  }

  private static Rows rows(Objective objective) {
    var random = new SplittableRandom(6);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < ROWS; row++) {
      int environment = random.nextInt(4);
      int classes = Math.max(2, objective.classes());
      double label = objective.classes() == 0 ? 3 * random.nextDouble() : random.nextInt(classes);
      builder.add(new double[1], label, 0.5 + random.nextDouble(), "e" + environment);
    }
    return builder.build();
  }
}
