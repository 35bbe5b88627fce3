package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorDesign;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.BinaryObjective;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.RealObjective;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is refused in a sentence that names row, value and what is allowed. */
class BadInputTest {
  private static final int WIDTH = SampleRows.FEATURES.size();

  static Stream<Objective> objectives() {
    return EveryObjectiveTest.objectives();
  }

  @Test
  void weights_ofInfiniteSum_areRefusedByTheRowThatMakesItSo() {
    Rows.Builder rows = Rows.builder(1).add(new double[1], 0, 1e308, "a");
    refused(
        "the weights of all rows must have a finite sum: that up to row 1, with 1.0E308, is not",
        () -> rows.add(new double[1], 0, 1e308, "a"));
    assertThat(rows.build().size()).isEqualTo(1);
  }

  @Test
  void anchor_notFiniteOrMissing_isRefusedByRow() {
    Rows.Builder rows = Rows.builder(1, 2).add(new double[1], 0, 1, "a", new double[2]);
    refused(
        "the anchors of row 1 must be finite: NaN",
        () -> rows.add(new double[1], 0, 1, "a", new double[] {0, Double.NaN}));
    refused("row 1 must have 2 anchors: 0", () -> rows.add(new double[1], 0, 1, "a"));
    var continuous = new Anchoring(2, new AnchorDesign.Continuous(true), false);
    var settings =
        BoosterSettings.builder(Objective.named("squared")).anchoring(continuous).build();
    refused(
        "a continuous anchor needs rows with at least 1 anchor value: they have 0",
        () -> new Booster(settings).fit(features(1), one(0)));
  }

  @Test
  void noFeatures_areRefused() {
    refused("a row must have at least 1 feature: 0", () -> Rows.builder(0));
    var settings = BoosterSettings.builder(Objective.named("squared")).build();
    refused(
        "a model must have at least 1 feature: 0",
        () -> new Booster(settings).fit(List.of(), one(0)));
    refused(
        "a model must have at least 1 feature: 0",
        () -> new AdaBooster(AdaBoostSettings.stumps(1)).fit(2, List.of(), one(0)));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void label_outsideTheDomain_isRefusedByRowAndRule(Objective objective) {
    for (double bad : badLabels(objective)) {
      Rows good = SampleRows.of(objective, 1, 20, 2);
      Rows rows = relabelled(good, 13, bad);
      String rule = "labels must be " + objective.labelRule() + " for " + objective.name() + ": ";
      Booster booster = booster(objective);
      refused(rule + "row 13 has " + bad, () -> booster.fit(SampleRows.FEATURES, rows));
      Model model = Booster.untrained(of(objective), SampleRows.FEATURES);
      refused(
          rule + "row 13 has " + bad,
          () -> booster.extend(model, SampleRows.FEATURES, rows, FitListener.NONE));
      var stopping = new EarlyStopping(rows, new EarlyStopping.Criterion.Mean(), 1);
      refused(
          rule + "validation row 13 has " + bad,
          () -> booster.fit(SampleRows.FEATURES, good, stopping, FitListener.NONE));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0.5, 2, 1e18})
  void label_thatIsNoClass_isRefusedByAdaBoost(double bad) {
    Rows rows = relabelled(SampleRows.of(Objective.named("logistic"), 1, 20, 2), 4, bad);
    refused(
        "labels must be 0 or 1 for exponential: row 4 has " + bad,
        () -> new AdaBooster(AdaBoostSettings.stumps(2)).fit(2, SampleRows.FEATURES, rows));
    if (bad != 2) {
      refused(
          "labels must be whole numbers from 0 to 2 for softmax: row 4 has " + bad,
          () -> new AdaBooster(AdaBoostSettings.stumps(2)).fit(3, SampleRows.FEATURES, rows));
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void labels_tooLargeForALoss_areRefused_orLearned(Objective objective) {
    if (!(objective instanceof RealObjective) && !(objective instanceof LogLinkObjective)) {
      return; // labels are bounded
    }
    Rows.Builder rows = Rows.builder(WIDTH);
    var random = new SplittableRandom(1);
    for (int row = 0; row < 40; row++) {
      rows.add(SampleRows.values(random), row % 2 == 0 ? 1e308 : 1, "e" + row % 3);
    }
    try {
      StrangeInputTest.learn(of(objective), rows.build());
    } catch (IllegalArgumentException e) {
      assertThat(e)
          .hasMessageMatching(
              "the labels must be small enough for a finite "
                  + objective.name()
                  + " (loss|score to start from): it is (Infinity|NaN).*");
    }
  }

  @Test
  void noRows_toValidateOn_areRefused() {
    refused(
        "there must be at least 1 row to validate on: 0",
        () ->
            new EarlyStopping(Rows.builder(WIDTH).build(), new EarlyStopping.Criterion.Worst(), 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void noRows_areRefusedByAdaBoost(int classes) {
    refused(
        "there must be at least 1 row to train on: 0",
        () ->
            new AdaBooster(AdaBoostSettings.stumps(2))
                .fit(classes, SampleRows.FEATURES, Rows.builder(WIDTH).build()));
  }

  private static double[] badLabels(Objective objective) {
    if (objective instanceof RealObjective) {
      return new double[0]; // every finite number is a label
    }
    if (objective instanceof BinaryObjective) {
      return new double[] {-1, 0.5, 2};
    }
    if (objective instanceof LogLinkObjective) {
      return objective.accepts(0) ? new double[] {-1, -1e-300} : new double[] {-1, 0};
    }
    return objective.classes() > 0
        ? new double[] {-1, 0.5, objective.classes(), 1e18}
        : new double[] {0, 1, -0.5, 2}; // beta
  }

  private static BoosterSettings of(Objective objective) {
    return of(objective, 1, MulticlassTrees.PER_CLASS);
  }

  static BoosterSettings of(Objective objective, double gamma, MulticlassTrees multiclass) {
    return EveryObjectiveTest.of(objective, gamma, multiclass).toBuilder().rounds(6).build();
  }

  private static Booster booster(Objective objective) {
    return new Booster(of(objective));
  }

  private static List<Feature> features(int width) {
    return SampleRows.FEATURES.subList(0, width);
  }

  private static Rows one(double label) {
    return Rows.builder(1).add(new double[1], label, "a").build();
  }

  static Rows relabelled(Rows rows, int changed, double label) {
    int[] row = {0};
    return relabelled(rows, old -> row[0]++ == changed ? label : old);
  }

  static Rows relabelled(Rows rows, DoubleUnaryOperator label) {
    Rows.Builder relabelled = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      relabelled.add(values, label.applyAsDouble(rows.label(row)), "e" + rows.environment(row));
    }
    return relabelled.build();
  }

  private static void refused(String message, Runnable call) {
    assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
  }
}
