package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.tree.Sampling;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of training that hold for every objective there is. */
class EveryObjectiveTest {
  static final List<Objective> OBJECTIVES =
      List.of(
          Objective.named("squared"),
          Objective.named("absolute"),
          Objective.of("huber", Map.of("delta", 0.7)),
          Objective.of("quantile", Map.of("alpha", 0.8)),
          Objective.named("logistic"),
          Objective.named("probit"),
          Objective.named("exponential"),
          Objective.of("softmax", Map.of("classes", 4.0)),
          Objective.of("ordinal", Map.of("classes", 4.0, "link", 0.0)),
          Objective.of("ordinal", Map.of("classes", 4.0, "link", 1.0)),
          Objective.of("beta", Map.of("precision", 5.0)),
          Objective.of("beta", Map.of("precision", 5.0, "estimated", 1.0)),
          Objective.named("gamma"),
          Objective.named("poisson"),
          Objective.of("tweedie", Map.of("power", 1.5)));

  static Stream<Arguments> settings() {
    List<Arguments> all = new ArrayList<>();
    for (Objective objective : OBJECTIVES) {
      for (double gamma : objective.anchorable() ? new double[] {0, 1, 7} : new double[] {1}) {
        all.add(arguments(objective, gamma, MulticlassTrees.PER_CLASS));
        if (objective.outputs() > 1) {
          all.add(arguments(objective, gamma, MulticlassTrees.VECTOR));
        }
      }
    }
    return all.stream();
  }

  static Stream<Objective> objectives() {
    return OBJECTIVES.stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void training_lowersTheAnchorLoss_andItsScoresAreTheModels(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 11, 400, 4);
    Fit fit = new Booster(of(objective, gamma, multiclass)).fit(SampleRows.FEATURES, rows);

    List<AnchorLoss> losses = fit.losses();
    if (objective.anchorable()) { // a quantile leaf step is exact by leaf, but only for rate 1
      for (int round = 1; round < losses.size(); round++) {
        AnchorLoss before = losses.get(round - 1);
        double slack = 1e-9 * (Math.abs(before.base()) + Math.abs(before.penalty()));
        assertThat(losses.get(round).total())
            .as("round %s", round)
            .isLessThanOrEqualTo(before.total() + slack);
      }
    }
    assertThat(losses.getLast().total()).isLessThan(losses.getFirst().total());
    double[] scores = Scorer.of(fit.model()).scores(rows);
    double base = Evaluation.of(fit.model().objective(), rows, scores).loss() * rows.size();
    assertThat(base).isCloseTo(losses.getLast().base(), within(1e-9 * Math.abs(base) + 1e-9));
    assertThat(fit.model().trees())
        .isEqualTo(multiclass == MulticlassTrees.PER_CLASS ? 15 * objective.outputs() : 15);
    assertThat(fit.model().segments().getFirst().trees())
        .allSatisfy(tree -> assertThat(tree.hasStatistics()).isTrue());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void training_isAFunctionOfItsArguments_whateverTheThreads(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 12, 300, 3);
    BoosterSettings one =
        of(objective, gamma, multiclass).toBuilder().sampling(new Sampling(0.7, 0.6)).build();
    Model model = new Booster(one).fit(SampleRows.FEATURES, rows).model();
    Model again = new Booster(one).fit(SampleRows.FEATURES, rows).model();
    Model two =
        new Booster(one.toBuilder().threads(2).build()).fit(SampleRows.FEATURES, rows).model();
    assertThat(again).isEqualTo(model);
    assertThat(two).isEqualTo(model);
    Model other =
        new Booster(one.toBuilder().seed(1).build()).fit(SampleRows.FEATURES, rows).model();
    assertThat(other).as("another seed draws other rows").isNotEqualTo(model);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void extension_goesOnWhereTheModelStands(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 13, 300, 3);
    Booster booster = new Booster(of(objective, gamma, multiclass));
    Fit once = booster.fit(SampleRows.FEATURES, rows);
    Fit twice = booster.extend(once.model(), SampleRows.FEATURES, rows, FitListener.NONE);
    assertThat(twice.losses().getFirst().total())
        .isCloseTo(
            once.losses().getLast().total(),
            within(1e-9 * Math.abs(once.losses().getLast().total()) + 1e-9));
    assertThat(twice.losses().getLast().total()).isLessThan(once.losses().getLast().total());
    assertThat(twice.model().segments().subList(0, 1)).isEqualTo(once.model().segments());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void renamedEnvironments_changeNothing(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 14, 300, 3);
    Rows.Builder renamed = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      renamed.add(values, rows.label(row), rows.weight(row), "e" + (9 - rows.environment(row)));
    }
    Booster booster = new Booster(of(objective, gamma, multiclass));
    assertThat(booster.fit(SampleRows.FEATURES, renamed.build()).model())
        .isEqualTo(booster.fit(SampleRows.FEATURES, rows).model());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void permutedRows_changeNothingButRounding(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 15, 250, 3);
    BoosterSettings few = of(objective, gamma, multiclass).toBuilder().rounds(3).build();
    double[] plain = lossesOf(new Booster(few).fit(SampleRows.FEATURES, rows));
    double[] shuffled = lossesOf(new Booster(few).fit(SampleRows.FEATURES, permuted(rows)));
    for (int round = 0; round < plain.length; round++) {
      assertThat(shuffled[round]).isCloseTo(plain[round], within(1e-8 * Math.abs(plain[round])));
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void weightOfTwo_isTheRowTwice(Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 16, 200, 3);
    Rows.Builder weighted = Rows.builder(rows.width());
    Rows.Builder doubled = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      String environment = rows.environments().get(rows.environment(row));
      weighted.add(values, rows.label(row), 2, environment);
      doubled.add(values, rows.label(row), environment).add(values, rows.label(row), environment);
    }
    // Rows are counted, not weighed, so no limit may be on their number.
    BoosterSettings few =
        of(objective, gamma, multiclass).toBuilder()
            .rounds(3)
            .trees(new TreeLimits(6, 3, 1, 2, 0.01))
            .build();
    double[] one = lossesOf(new Booster(few).fit(SampleRows.FEATURES, weighted.build()));
    double[] two = lossesOf(new Booster(few).fit(SampleRows.FEATURES, doubled.build()));
    for (int round = 0; round < one.length; round++) {
      assertThat(two[round]).isCloseTo(one[round], within(1e-7 * Math.abs(one[round])));
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void gammaOfOne_isNoAnchor_bitForBit(Objective objective) {
    Rows rows = SampleRows.of(objective, 17, 300, 5);
    Rows.Builder alone = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      alone.add(values, rows.label(row), "one");
    }
    Booster booster = new Booster(of(objective, 1, MulticlassTrees.PER_CLASS));
    assertThat(booster.fit(SampleRows.FEATURES, alone.build()).model())
        .isEqualTo(booster.fit(SampleRows.FEATURES, rows).model());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void linearBase_startsNoWorseThanAConstant(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 18, 300, 3);
    BoosterSettings constant = of(objective, gamma, multiclass);
    Fit plain = new Booster(constant).fit(SampleRows.FEATURES, rows);
    LinearBase base = new LinearBase(0.01, 0.5);
    Fit linear =
        new Booster(constant.toBuilder().linearBase(base).build()).fit(SampleRows.FEATURES, rows);
    double start = linear.losses().getFirst().total();
    assertThat(start).isLessThan(plain.losses().getFirst().total());
    assertThat(linear.losses().getLast().total()).isLessThan(start);
    assertThat(linear.model().base().terms()).isNotEmpty();
  }

  @Test
  void anchoredLossWithoutCurvature_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BoosterSettings.builder(Objective.named("absolute")).gamma(2).build())
        .withMessageContaining("gamma must be 1 for absolute")
        .withMessageContaining("huber");
  }

  static BoosterSettings of(Objective objective, double gamma, MulticlassTrees multiclass) {
    return BoosterSettings.builder(objective)
        .gamma(gamma)
        .rounds(15)
        .learningRate(0.3)
        .trees(new TreeLimits(6, 3, 5, 1e-3, 0))
        .multiclass(multiclass)
        .build();
  }

  private static double[] lossesOf(Fit fit) {
    return fit.losses().stream().flatMapToDouble(loss -> DoubleStream.of(loss.total())).toArray();
  }

  private static Rows permuted(Rows rows) {
    var random = new SplittableRandom(3);
    double[] keys = random.doubles(rows.size()).toArray();
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      order.add(row);
    }
    order.sort(Comparator.comparingDouble(row -> keys[row]));
    Rows.Builder permuted = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row : order) {
      rows.copyFeatures(row, values);
      permuted.add(values, rows.label(row), rows.environments().get(rows.environment(row)));
    }
    return permuted.build();
  }
}
