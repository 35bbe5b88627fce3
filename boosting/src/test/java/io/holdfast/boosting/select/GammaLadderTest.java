package io.holdfast.boosting.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.Anchoring;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafRefit;
import io.holdfast.boosting.leaf.LeafSettings;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of a ladder. */
class GammaLadderTest {
  private static final GammaLadder LADDER = new GammaLadder(List.of(1.0, 3.0, 10.0));

  static Stream<Objective> objectives() {
    return Stream.of(
        new Squared(),
        new Logistic(),
        new Poisson(),
        new Ordinal(4, OrdinalLink.LOGIT),
        new Softmax(3));
  }

  private static BoosterSettings settings(Objective objective, double gamma) {
    return BoosterSettings.builder(objective)
        .anchoring(Anchoring.environments(gamma))
        .rounds(5)
        .learningRate(0.3)
        .trees(new TreeLimits(8, 4, 5, 0.001, 0))
        .build();
  }

  private static Model fitted(BoosterSettings settings, Rows rows) {
    return new Booster(settings).fit(SampleRows.FEATURES, rows).model();
  }

  private static Model rung(List<GammaVariant> rungs, double gamma) {
    return rungs.stream().filter(rung -> rung.gamma() == gamma).findFirst().orElseThrow().model();
  }

  /**
   * Climbing with the structure's own gamma finds the very leaf values of the fit. (A ladder that
   * is asked for that gamma gives the fit itself: the settings here have another one.)
   */
  @ParameterizedTest
  @MethodSource("objectives")
  void rung_ofTheStructuresGamma_isTheFitBitForBit(Objective objective) {
    Rows rows = SampleRows.of(objective, 1, 400, 4);
    for (double gamma : new double[] {1, 3}) {
      Model fitted = fitted(settings(objective, gamma), rows);
      List<GammaVariant> rungs =
          new GammaLadder(List.of(gamma)).of(settings(objective, 7), fitted, rows);
      assertThat(rungs.getFirst().model()).isEqualTo(fitted);
    }
  }

  @Test
  void rung_ofClassTrees_isTheFitBitForBit() {
    Objective objective = new Softmax(3);
    Rows rows = SampleRows.of(objective, 1, 400, 4);
    BoosterSettings settings =
        settings(objective, 3).toBuilder().multiclass(MulticlassTrees.PER_CLASS).build();
    Model fitted = fitted(settings, rows);
    List<GammaVariant> rungs =
        new GammaLadder(List.of(3.0)).of(settings.toBuilder().gamma(7).build(), fitted, rows);
    assertThat(rungs.getFirst().model()).isEqualTo(fitted);
  }

  @Test
  void rung_ofGammaOne_hasPlainLeaves() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 4);
    BoosterSettings settings = settings(new Squared(), 3);
    Model fitted = fitted(settings, rows);
    Model plain =
        new LeafRefit(new LeafSettings(0.3, 0, settings.lambda()), List.of(), 0)
            .plain(fitted, rows)
            .model();
    assertThat(rung(LADDER.of(settings, fitted, rows), 1)).isEqualTo(plain);
    assertThat(plain).isNotEqualTo(fitted);
  }

  @Test
  void rungs_shareTheTreesAndNotTheValues() {
    Rows rows = SampleRows.of(new Logistic(), 1, 400, 4);
    BoosterSettings settings = settings(new Logistic(), 3);
    Model fitted = fitted(settings, rows);
    List<GammaVariant> rungs = LADDER.of(settings, fitted, rows);
    assertThat(rungs).extracting(GammaVariant::gamma).containsExactly(1.0, 3.0, 10.0);
    assertThat(rung(rungs, 3)).isSameAs(fitted);
    for (GammaVariant rung : rungs) {
      for (int k = 0; k < fitted.trees(); k++) {
        Tree tree = fitted.segments().getFirst().trees().get(k);
        Tree other = rung.model().segments().getFirst().trees().get(k);
        double[] values = new double[tree.leaves()];
        for (int leaf = 0; leaf < values.length; leaf++) {
          values[leaf] = tree.leafValue(leaf);
        }
        assertThat(other.withLeafValues(values)).isEqualTo(tree);
      }
    }
    assertThat(rung(rungs, 1)).isNotEqualTo(rung(rungs, 10));
  }

  /** What an anchored round does to a model of this gamma, a rung's new trees do to the rung. */
  @Test
  void rung_extended_isTheExtensionBitForBit() {
    Objective objective = new Squared();
    Rows first = SampleRows.of(objective, 1, 300, 4);
    Rows second = SampleRows.of(objective, 2, 300, 4);
    BoosterSettings three = settings(objective, 3);
    Model parent = fitted(three, first);
    Model longer =
        new Booster(three).extend(parent, SampleRows.FEATURES, second, FitListener.NONE).model();
    BoosterSettings other = settings(objective, 7);
    GammaLadder ladder = new GammaLadder(List.of(3.0));
    List<GammaVariant> before = ladder.of(other, parent, first);
    assertThat(ladder.extend(other, parent, before, longer, second).getFirst().model())
        .isEqualTo(longer);
  }

  /** Old trees that were dropped or decayed are so in every rung. */
  @Test
  void rung_afterDropAndDecay_hasTheSameSegmentsAndDecays() {
    Objective objective = new Squared();
    Rows rows = SampleRows.of(objective, 1, 300, 4);
    BoosterSettings settings = settings(objective, 3);
    Model one = fitted(settings, rows);
    Model two = extended(settings, one, rows);
    Model three = extended(settings, two, rows);
    List<GammaVariant> ofTwo =
        LADDER.extend(settings, one, LADDER.of(settings, one, rows), two, rows);
    List<GammaVariant> ofThree = LADDER.extend(settings, two, ofTwo, three, rows);
    Model shorter =
        new Model(
            three.objective(),
            three.features(),
            three.base(),
            List.of(new Segment(three.segments().get(1).trees(), 0.5), three.segments().get(2)));
    List<GammaVariant> after = LADDER.extend(settings, three, ofThree, shorter, rows);
    for (int k = 0; k < after.size(); k++) {
      List<Segment> segments = after.get(k).model().segments();
      List<Segment> old = ofThree.get(k).model().segments();
      assertThat(segments).containsExactly(new Segment(old.get(1).trees(), 0.5), old.get(2));
    }
  }

  private static Model extended(BoosterSettings settings, Model model, Rows rows) {
    return new Booster(settings).extend(model, SampleRows.FEATURES, rows, FitListener.NONE).model();
  }

  @Test
  void rung_ofMonotoneTrees_staysMonotone() {
    Objective objective = new Squared();
    Rows rows = SampleRows.of(objective, 1, 400, 4);
    BoosterSettings settings = settings(objective, 3).toBuilder().monotone("size", 1).build();
    Model steep = rung(LADDER.of(settings, fitted(settings, rows), rows), 10);
    double[] row = {0, 1, 0, 2};
    double last = Double.NEGATIVE_INFINITY;
    for (double size = -3; size <= 3; size += 0.1) {
      row[0] = size;
      double score = Scorer.of(steep).score(row);
      assertThat(score).isGreaterThanOrEqualTo(last);
      last = score;
    }
  }

  @Test
  void ladder_notAscending_isRefused() {
    assertThatThrownBy(() -> new GammaLadder(List.of(3.0, 1.0)))
        .hasMessage("the gammas of a ladder must be ascending: [3.0, 1.0]");
  }

  /** What the anchor explains of the gradients: the more of it, the less a shift leaves alone. */
  @Test
  void anchorPenalty_fromRungToRung_falls() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 4);
    BoosterSettings settings = settings(new Squared(), 3);
    double last = Double.POSITIVE_INFINITY;
    for (GammaVariant rung : LADDER.of(settings, fitted(settings, rows), rows)) {
      double penalty = anchorPenalty(rung.model(), rows);
      assertThat(penalty).isLessThan(last);
      last = penalty;
    }
  }

  private static double anchorPenalty(Model model, Rows rows) {
    var objective =
        new AnchorObjective(model.objective(), rows, GroupMeans.ofEnvironments(rows), 2);
    var state = objective.newState();
    objective.evaluate(Scorer.of(model).scores(rows), state);
    return state.loss().penalty();
  }
}
