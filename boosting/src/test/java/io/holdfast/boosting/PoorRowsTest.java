package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.RealObjective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are wrong are refused in one sentence; rows that are merely poor give something. */
class PoorRowsTest {
  private static final List<Feature> FEATURES = SampleRows.FEATURES;

  static Stream<Objective> objectives() {
    return EveryObjectiveTest.OBJECTIVES.stream();
  }

  static Stream<Arguments> settings() {
    return EveryObjectiveTest.settings();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void row_withANumberThatIsNone_isRefused(double bad) {
    Rows.Builder rows = Rows.builder(1, 1).add(new double[1], 0, 1, "a", new double[1]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows.add(new double[1], bad, 1, "a", new double[1]))
        .withMessage("the label of row 1 must be finite: " + bad);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows.add(new double[1], 0, bad, "a", new double[1]))
        .withMessage("the weight of row 1 must be finite and above 0: " + bad);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows.add(new double[1], 0, 1, "a", new double[] {bad}))
        .withMessage("the anchors of row 1 must be finite: " + bad);
    assertThat(rows.size()).as("what was refused is not there").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, -1, -Double.MIN_VALUE})
  void row_ofNoWeightOrLess_isRefused(double weight) {
    Rows.Builder rows = Rows.builder(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows.add(new double[1], 0, weight, "a"))
        .withMessage("the weight of row 0 must be finite and above 0: " + weight);
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void fit_noRows_isRefused(Objective objective) {
    Booster booster = new Booster(BoosterSettings.builder(objective).build());
    Rows none = Rows.builder(4).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.fit(FEATURES, none))
        .withMessage("there must be at least 1 row to train on: 0");
    Model model = Booster.untrained(BoosterSettings.builder(objective).build(), FEATURES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.refit(model, none, 0.5))
        .withMessage("there must be at least 1 row to train on: 0");
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void fit_aLabelThatTheObjectiveDoesNotTake_saysWhichRowAndWhatIsAllowed(Objective objective) {
    if (objective instanceof RealObjective) {
      assertThat(objective.accepts(-1e300)).as("takes every number").isTrue();
      return;
    }
    double good = SampleRows.labelFor(objective, 0);
    Rows rows =
        Rows.builder(4).add(new double[4], good, "a").add(new double[4], -0.25, "a").build();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Booster(BoosterSettings.builder(objective).build()).fit(FEATURES, rows))
        .withMessage(
            "labels must be %s for %s: row 1 has -0.25", objective.labelRule(), objective.name());
  }

  @Test
  void fit_aClassBeyondTheLast_saysHowManyThereAre() {
    Rows rows = Rows.builder(4).add(new double[4], 2, "a").add(new double[4], 3, "a").build();
    for (Objective objective :
        List.of(new Softmax(3), Objective.of("ordinal", Map.of("classes", 3.0, "link", 0.0)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> new Booster(BoosterSettings.builder(objective).build()).fit(FEATURES, rows))
          .withMessageContaining("2")
          .withMessageEndingWith(" for %s: row 1 has 3.0", objective.name());
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void fit_oneLabelOnly_isFiniteAndPredictsIt(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    double label = SampleRows.labelFor(objective, 0.7);
    Rows rows = rows(60, row -> label, row -> "e" + row % 3);
    Fit fit = checked(objective, gamma, multiclass, rows);
    double[] scores = new double[objective.outputs()];
    Scorer.of(fit.model()).score(new double[4], scores);
    double prediction = fit.model().objective().prediction(scores);
    if (objective.binary()) {
      assertThat(prediction).isGreaterThan(0.9);
    } else {
      // Of a beta distribution of little precision, the likeliest mean is not its one label.
      double part = objective instanceof Beta ? 0.15 : 0.02;
      assertThat(prediction).isCloseTo(label, within(part * Math.abs(label)));
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void fit_anEnvironmentForEachRow_isFiniteAndLearns(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    var random = new SplittableRandom(4);
    Rows rows =
        rows(
            50,
            row -> SampleRows.labelFor(objective, 3 * random.nextDouble() - 1.5),
            row -> "environment " + row);
    checked(objective, gamma, multiclass, rows);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void fit_oneRow_isFinite(Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = rows(1, row -> SampleRows.labelFor(objective, 0.2), row -> "a");
    checked(objective, gamma, multiclass, rows);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void fit_moreClassesThanSeen_givesTheUnseenALittle(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    if (objective.classes() < 3) {
      return;
    }
    Rows rows = rows(90, row -> row % 2 == 0 ? 1 : 2, row -> "e" + row % 3);
    Fit fit = checked(objective, gamma, multiclass, rows);
    double[] scores = new double[objective.outputs()];
    Scorer.of(fit.model()).score(new double[4], scores);
    double[] probabilities = new double[objective.classes()];
    fit.model().objective().probabilities(scores, probabilities);
    assertThat(Arrays.stream(probabilities).sum()).isCloseTo(1, within(1e-12));
    assertThat(probabilities[0]).isBetween(1e-300, 0.05);
    assertThat(probabilities[3]).isBetween(1e-300, 0.05);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-200, 1e-10, 1e10, 1e200})
  void fit_anchorsOfAnySize_countAlike(double size) {
    Rows plain = anchored(1);
    BoosterSettings settings =
        BoosterSettings.builder(new Squared())
            .anchoring(Anchoring.continuous(6))
            .rounds(5)
            .trees(TreeLimits.DEFAULT.withMinRows(3))
            .build();
    Fit expected = new Booster(settings).fit(FEATURES, plain);
    Fit fit = new Booster(settings).fit(FEATURES, anchored(size));
    for (int round = 0; round < 6; round++) {
      double total = expected.losses().get(round).total();
      assertThat(fit.losses().get(round).total()).isCloseTo(total, within(1e-9 * total));
    }
  }

  private static Rows anchored(double size) {
    var random = new SplittableRandom(2);
    Rows.Builder rows = Rows.builder(4, 2);
    for (int row = 0; row < 100; row++) {
      double first = random.nextDouble();
      double[] anchors = {size * first, size * random.nextDouble()};
      rows.add(SampleRows.values(random), 2 * first + random.nextDouble(), 1, "a", anchors);
    }
    return rows.build();
  }

  private static Rows rows(int size, IntToDoubleFunction label, IntFunction<String> environment) {
    var random = new SplittableRandom(3);
    Rows.Builder rows = Rows.builder(4);
    for (int row = 0; row < size; row++) {
      rows.add(SampleRows.values(random), label.applyAsDouble(row), environment.apply(row));
    }
    return rows.build();
  }

  /** A fit all of whose figures are finite, and whose anchor loss did not rise. */
  private static Fit checked(
      Objective objective, double gamma, MulticlassTrees multiclass, Rows rows) {
    Fit fit = new Booster(EveryObjectiveTest.of(objective, gamma, multiclass)).fit(FEATURES, rows);
    for (int round = 0; round < fit.losses().size(); round++) {
      AnchorLoss loss = fit.losses().get(round);
      assertThat(loss.total()).as("round %s", round).isFinite();
      if (round > 0) {
        AnchorLoss before = fit.losses().get(round - 1);
        double slack = 1e-9 * (1 + Math.abs(before.base()) + Math.abs(before.penalty()));
        assertThat(loss.total()).as("round %s", round).isLessThanOrEqualTo(before.total() + slack);
      }
    }
    var random = new SplittableRandom(8);
    double[] scores = new double[objective.outputs()];
    for (int row = 0; row < 50; row++) {
      Scorer.of(fit.model()).score(SampleRows.values(random), scores);
      for (double score : scores) {
        assertThat(score).isFinite();
      }
    }
    return fit;
  }
}
