package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Absolute;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.GrowthSettings;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of a refit, on models of a few small trees. */
class LeafRefitTest {
  private static final int ROUNDS = 6;
  private static final LeafSettings SETTINGS = new LeafSettings(0.3, 0, 0.5);
  private static final LeafSettings SEARCHED = new LeafSettings(0.3, 0, 0.5, StepSize.LINE_SEARCH);
  private static final LeafSettings PLAIN = new LeafSettings(1, 0, 0);
  private static final List<Integer> FREE = List.of();
  private static final List<Integer> RISING = List.of(1, 0, 0, 0);

  static Stream<Objective> objectives() {
    return Stream.of(
        new Squared(),
        new Logistic(),
        new Probit(),
        new Poisson(),
        new Ordinal(4, OrdinalLink.LOGIT),
        new Softmax(3));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void refit_decayOne_isTheIdentity(Objective objective) {
    Model model = trained(objective, SampleRows.of(objective, 1, 300, 3), 7, SETTINGS, FREE);
    Rows other = SampleRows.of(objective, 2, 40, 3);
    LeafRefit refit = new LeafRefit(SETTINGS, FREE, 1);
    assertThat(refit.plain(model, other).model()).isEqualTo(model);
    assertThat(refit.anchored(model, other, anchor(other), 7).model()).isEqualTo(model);
  }

  /** Every step is the one that was taken in training; and half of both is that, too. */
  @ParameterizedTest
  @MethodSource("objectives")
  void refit_onTheTrainingRows_reproducesTheModel(Objective objective) {
    Rows rows = SampleRows.of(objective, 1, 300, 3);
    for (LeafSettings settings : List.of(PLAIN, SETTINGS, SEARCHED)) {
      for (double gamma : new double[] {1, 7}) {
        Model model = trained(objective, rows, gamma, settings, FREE);
        for (double decay : new double[] {0, 0.5}) {
          Model refitted =
              new LeafRefit(settings, FREE, decay)
                  .anchored(model, rows, anchor(rows), gamma)
                  .model();
          assertThat(refitted).as("gamma %s, decay %s", gamma, decay).isEqualTo(model);
        }
      }
    }
  }

  @Test
  void refit_vectorLeaves_reproducesTheModel() {
    Softmax softmax = new Softmax(3);
    Rows rows = SampleRows.of(softmax, 1, 300, 3);
    Model model = trained(softmax, rows, 7, SETTINGS, FREE, true);
    assertThat(model.segments().getFirst().trees()).hasSize(ROUNDS);
    assertThat(new LeafRefit(SETTINGS, FREE, 0).anchored(model, rows, anchor(rows), 7).model())
        .isEqualTo(model);
  }

  @Test
  void refit_lossWithoutCurvature_reproducesTheModel() {
    Rows rows = SampleRows.of(new Absolute(), 1, 300, 3);
    Model model = trained(new Absolute(), rows, 1, SETTINGS, FREE);
    assertThat(new LeafRefit(SETTINGS, FREE, 0.5).plain(model, rows).model()).isEqualTo(model);
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void refit_onOtherRows_fitsThemBetter(Objective objective) {
    Model model = trained(objective, SampleRows.of(objective, 1, 300, 3), 1, SETTINGS, FREE);
    Rows other = SampleRows.of(objective, 2, 60, 3);
    Model refitted = new LeafRefit(SETTINGS, FREE, 0).plain(model, other).model();
    assertThat(loss(refitted, other, 1)).isLessThan(loss(model, other, 1));
    assertThat(refitted.objective()).isEqualTo(model.objective());
    assertThat(refitted.base()).isEqualTo(model.base());
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void plainAndAnchored_agreeForGammaOneOnly(Objective objective) {
    Model model = trained(objective, SampleRows.of(objective, 1, 300, 3), 7, SETTINGS, FREE);
    Rows other = SampleRows.of(objective, 2, 200, 4);
    LeafRefit refit = new LeafRefit(SETTINGS, FREE, 0.2);
    Model plain = refit.plain(model, other).model();
    assertThat(refit.anchored(model, other, anchor(other), 1).model()).isEqualTo(plain);
    Model anchored = refit.anchored(model, other, anchor(other), 7).model();
    assertThat(anchored).isNotEqualTo(plain);
  }

  /** The least anchor loss that one tree's leaf values can give. */
  @Test
  void anchored_squaredFullStepOfOneTree_hasTheLowestAnchorLoss() {
    Rows rows = SampleRows.of(new Squared(), 1, 300, 3);
    Model model = trained(new Squared(), rows, 7, PLAIN, FREE);
    Model stump =
        withSegments(model, new Segment(model.segments().getFirst().trees().subList(0, 1)));
    Rows other = SampleRows.of(new Squared(), 2, 200, 4);
    LeafRefit refit = new LeafRefit(PLAIN, FREE, 0);
    double anchored = loss(refit.anchored(stump, other, anchor(other), 7).model(), other, 7);
    Model plain = refit.plain(stump, other).model();
    assertThat(anchored).isLessThan(loss(plain, other, 7)).isLessThan(loss(stump, other, 7));
    assertThat(loss(plain, other, 1)).isLessThan(loss(stump, other, 1));
  }

  @Test
  void refit_leafWithoutRows_keepsItsValue() {
    Rows rows = SampleRows.of(new Logistic(), 1, 300, 3);
    Model model = trained(new Logistic(), rows, 1, SETTINGS, FREE);
    Rows one = first(rows, 1);
    Model refitted = new LeafRefit(SETTINGS, FREE, 0).plain(model, one).model();
    double[] features = new double[rows.width()];
    one.copyFeatures(0, features);
    List<Tree> before = model.segments().getFirst().trees();
    List<Tree> after = refitted.segments().getFirst().trees();
    for (int tree = 0; tree < ROUNDS; tree++) {
      for (int leaf = 0; leaf < before.get(tree).leaves(); leaf++) {
        boolean reached = leaf == before.get(tree).leafOf(features);
        assertThat(after.get(tree).leafValue(leaf) == before.get(tree).leafValue(leaf))
            .isEqualTo(!reached);
      }
    }
  }

  /** The same scores whether a weight stands in the segment or in its leaf values. */
  @Test
  void refit_weightedSegments_refitsWhatTheyCountFor() {
    Rows rows = SampleRows.of(new Squared(), 1, 300, 3);
    Model model = trained(new Squared(), rows, 1, SETTINGS, FREE);
    List<Tree> trees = model.segments().getFirst().trees();
    Model faded = withSegments(model, new Segment(trees, 0.5), new Segment(trees, 0));
    List<Tree> halved = trees.stream().map(LeafRefitTest::halved).toList();
    LeafRefit refit = new LeafRefit(SETTINGS, FREE, 0.25);
    Rows other = SampleRows.of(new Squared(), 2, 100, 3);
    Model refitted = refit.plain(faded, other).model();
    Model expected = refit.plain(withSegments(model, new Segment(halved)), other).model();
    assertThat(Scorer.of(refitted).scores(rows)).isEqualTo(Scorer.of(expected).scores(rows));
    assertThat(refitted.segments().getLast()).isEqualTo(faded.segments().getLast());
  }

  @Test
  void refit_monotoneTrees_staysMonotone() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 3);
    Model model = trained(new Squared(), rows, 7, PLAIN, RISING);
    Rows falling = SampleRows.of(new Squared(), 2, 400, 3);
    Rows.Builder turned = Rows.builder(falling.width());
    double[] features = new double[falling.width()];
    for (int row = 0; row < falling.size(); row++) {
      falling.copyFeatures(row, features);
      features[0] = -features[0];
      turned.add(features, falling.label(row), "e" + falling.environment(row));
    }
    Rows against = turned.build();
    assertThat(rising(model)).isTrue();
    Model free = new LeafRefit(PLAIN, FREE, 0).anchored(model, against, anchor(against), 7).model();
    assertThat(rising(free)).as("the rows do pull the other way").isFalse();
    for (double decay : new double[] {0, 0.5}) {
      Model kept =
          new LeafRefit(PLAIN, RISING, decay).anchored(model, against, anchor(against), 7).model();
      assertThat(rising(kept)).isTrue();
      assertThat(kept).isNotEqualTo(model);
    }
  }

  /** However often it is done, and however many rows a leaf has left. */
  @Test
  void refit_countsUnderAStrongAnchor_keepsEveryLeafWithinReach() {
    Poisson poisson = new Poisson();
    Model model = trained(poisson, SampleRows.of(poisson, 1, 300, 3), 50, SETTINGS, FREE);
    boolean held = false;
    for (int time = 2; time < 12; time++) {
      Rows other = SampleRows.of(poisson, time, 40, 3);
      LeafRefit.Refitted refitted =
          new LeafRefit(SETTINGS, FREE, 0.2).anchored(model, other, anchor(other), 50);
      model = refitted.model();
      held |= refitted.safeguards() > 0;
      for (Tree tree : model.segments().getFirst().trees()) {
        for (int leaf = 0; leaf < tree.leaves(); leaf++) {
          assertThat(Math.abs(tree.leafValue(leaf)))
              .isLessThanOrEqualTo(SETTINGS.learningRate() * poisson.reach() * (1 + 1e-12));
        }
      }
    }
    assertThat(held).as("some full step went further").isTrue();
  }

  @Test
  void refit_badInput_saysWhatIsWrong() {
    Model model = trained(new Logistic(), SampleRows.of(new Logistic(), 1, 50, 2), 1, PLAIN, FREE);
    LeafRefit refit = new LeafRefit(PLAIN, FREE, 0.5);
    assertThatThrownBy(() -> new LeafRefit(PLAIN, FREE, Double.NaN))
        .hasMessage("decay must be from 0 to 1: NaN");
    assertThatThrownBy(() -> refit.plain(model, Rows.builder(4).build()))
        .hasMessage("there must be at least 1 row to refit on: 0");
    assertThatThrownBy(() -> refit.plain(model, Rows.builder(1).add(new double[1], 0, "e").build()))
        .hasMessage("rows must have as many values as the model has features, 4: 1");
    assertThatThrownBy(() -> refit.plain(model, Rows.builder(4).add(new double[4], 3, "e").build()))
        .hasMessageContaining("row 0 has 3");
  }

  private static Model trained(
      Objective objective, Rows rows, double gamma, LeafSettings settings, List<Integer> monotone) {
    return trained(objective, rows, gamma, settings, monotone, false);
  }

  /** Rounds as a booster takes them. */
  private static Model trained(
      Objective configured,
      Rows rows,
      double gamma,
      LeafSettings settings,
      List<Integer> monotone,
      boolean vector) {
    Objective objective = configured.fittedTo(rows);
    Model start =
        new Model(
            objective,
            SampleRows.FEATURES,
            Base.constant(objective.initialScores(rows)),
            List.of());
    var anchored = new AnchorObjective(objective, rows, anchor(rows), gamma);
    var solver = new LeafSolver(anchored, Scorer.of(start).scores(rows), settings, Safeguard.ON);
    int outputs = objective.outputs();
    GrowthSettings growth =
        GrowthSettings.of(new TreeLimits(5, 3, 5, 1e-3, 0), Penalties.ridge(settings.lambda2()))
            .withMonotone(monotone)
            .withOutputs(vector ? outputs : 1);
    var grower = new TreeGrower(BinnedRows.of(rows, SampleRows.FEATURES, 63), growth);
    double[] gradients = new double[rows.size() * outputs];
    double[] hessians = new double[rows.size() * outputs];
    List<Tree> trees = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      solver.state().gradients(gradients);
      solver.state().growthHessians(hessians);
      List<TreeStructure> structures = new ArrayList<>();
      for (int k = 0; k < (vector ? 1 : outputs); k++) {
        int from = k * rows.size();
        int to = vector ? gradients.length : from + rows.size();
        structures.add(
            grower.grow(
                Arrays.copyOfRange(gradients, from, to),
                Arrays.copyOfRange(hessians, from, to),
                round));
      }
      double[][] values = solver.solve(structures);
      for (int k = 0; k < values.length; k++) {
        TreeStructure structure = structures.get(k);
        trees.add(
            structure.withLeafValues(values[k], k, vector ? outputs : 1, structure.covers(rows)));
      }
    }
    return start.plus(new Segment(trees));
  }

  private static GroupMeans anchor(Rows rows) {
    return GroupMeans.ofEnvironments(rows);
  }

  private static double loss(Model model, Rows rows, double gamma) {
    var anchored = new AnchorObjective(model.objective(), rows, anchor(rows), gamma);
    AnchorState state = anchored.newState();
    anchored.evaluate(Scorer.of(model).scores(rows), state);
    return state.loss().total();
  }

  private static Model withSegments(Model model, Segment... segments) {
    return new Model(model.objective(), model.features(), model.base(), List.of(segments));
  }

  private static Tree halved(Tree tree) {
    double[] values = new double[tree.leaves()];
    Arrays.setAll(values, leaf -> 0.5 * tree.leafValue(leaf));
    return tree.withLeafValues(values);
  }

  private static Rows first(Rows rows, int size) {
    Rows.Builder builder = Rows.builder(rows.width());
    double[] features = new double[rows.width()];
    for (int row = 0; row < size; row++) {
      rows.copyFeatures(row, features);
      builder.add(features, rows.label(row), "e" + rows.environment(row));
    }
    return builder.build();
  }

  /** Whether the raw score never falls in the first feature, at some values of the others. */
  private static boolean rising(Model model) {
    Scorer scorer = Scorer.of(model);
    for (double level = 0; level < 10; level++) {
      for (double kind = 0; kind < 5; kind++) {
        double last = Double.NEGATIVE_INFINITY;
        for (double size = -2; size <= 2; size += 0.05) {
          double score = scorer.score(new double[] {size, level, 0.5, kind});
          if (score < last) {
            return false;
          }
          last = score;
        }
      }
    }
    return true;
  }
}
