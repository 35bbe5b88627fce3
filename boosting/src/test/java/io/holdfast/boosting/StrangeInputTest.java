package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.ada.AdaBoostFit;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.anchor.ColumnSpan;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that are strange, but not wrong, are learned from: by every objective, and by AdaBoost. */
class StrangeInputTest {
  private static final int WIDTH = SampleRows.FEATURES.size();

  static Stream<Arguments> settings() {
    return EveryObjectiveTest.settings();
  }

  static Stream<AdaBoostSettings> votes() {
    AdaBoostSettings stumps = AdaBoostSettings.stumps(8);
    return Stream.of(
        stumps, stumps.withCriterion(Criterion.ERROR), stumps.withMaxDepth(3).withResampling(7));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void oneLabelOnly_onALinearBase_isLearned(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    double label = SampleRows.labelFor(objective, 0.6);
    Rows rows = BadInputTest.relabelled(SampleRows.of(objective, 4, 120, 3), any -> label);
    LinearBase base = new LinearBase(0.1, 0.5);
    Model model = learn(BadInputTest.of(objective, gamma, multiclass), base, rows);
    if (gamma < 1 && objective instanceof Beta) {
      return; // one label is of any precision, and below 1 a steep loss rewards errors
    }
    double[] scores = new double[objective.outputs()];
    Scorer.of(model).score(new double[WIDTH], scores);
    double prediction = model.objective().prediction(scores);
    if (objective.classes() > 2) {
      assertThat(prediction).isEqualTo(label);
    } else if (objective.binary()) {
      assertThat(prediction).isBetween(0.9, 1.0);
    } else {
      assertThat(prediction).isBetween(0.8 * label, 1.25 * label);
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void classesNeverSeen_keepALittleProbability(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    if (objective.classes() <= 2) {
      return;
    }
    // Of four classes only 1 and 3 are seen: neither the lowest nor one between.
    Rows rows =
        BadInputTest.relabelled(SampleRows.of(objective, 5, 200, 3), label -> label >= 2 ? 3 : 1);
    Model model = learn(BadInputTest.of(objective, gamma, multiclass), rows);
    double[] scores = new double[objective.outputs()];
    double[] probabilities = new double[4];
    for (int row = 0; row < rows.size(); row++) {
      double[] values = new double[WIDTH];
      rows.copyFeatures(row, values);
      Scorer.of(model).score(values, scores);
      model.objective().probabilities(scores, probabilities);
      for (int unseen : new int[] {0, 2}) {
        assertThat(probabilities[unseen]).isGreaterThan(0).isLessThan(0.1);
        assertThat(model.objective().loss(unseen, scores)).isFinite();
      }
      assertThat(model.objective().prediction(scores)).isIn(1.0, 3.0);
    }
    // They may come later.
    Rows later = SampleRows.of(objective, 6, 200, 3);
    Fit more =
        new Booster(BadInputTest.of(objective, gamma, multiclass))
            .extend(model, SampleRows.FEATURES, later, FitListener.NONE);
    assertThat(more.losses().getLast().total()).isLessThan(more.losses().getFirst().total());
  }

  @ParameterizedTest
  @MethodSource("votes")
  void classesNeverSeen_getNoVotes(AdaBoostSettings settings) {
    Rows rows =
        BadInputTest.relabelled(
            SampleRows.of(EveryObjectiveTest.OBJECTIVES.get(7), 5, 200, 3),
            label -> label >= 2 ? 3 : 1);
    AdaBoostFit fit = new AdaBooster(settings).fit(6, SampleRows.FEATURES, rows);
    assertThat(fit.model().trees()).isPositive();
    double[] scores = Scorer.of(fit.model()).scores(rows);
    for (int k : new int[] {0, 2, 4, 5}) {
      assertThat(Arrays.copyOfRange(scores, k * rows.size(), (k + 1) * rows.size()))
          .containsOnly(0);
    }
  }

  @ParameterizedTest
  @MethodSource("votes")
  void oneClassOnly_isVotedFor(AdaBoostSettings settings) {
    for (int classes : new int[] {2, 4}) {
      Rows rows =
          BadInputTest.relabelled(SampleRows.of(Objective.named("squared"), 6, 50, 2), any -> 1);
      Model model = new AdaBooster(settings).fit(classes, SampleRows.FEATURES, rows).model();
      double[] scores = new double[model.objective().outputs()];
      Scorer.of(model).score(new double[WIDTH], scores);
      double[] probabilities = new double[classes];
      model.objective().probabilities(scores, probabilities);
      assertThat(probabilities[1]).isBetween(0.9, 1.0);
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void moreEnvironmentsThanRows_changeNothing(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 8, 50, 4);
    int[] groupOf = new int[rows.size()];
    double[] weights = new double[rows.size()];
    Arrays.fill(weights, 1);
    Arrays.setAll(groupOf, row -> 20 * rows.environment(row) + 7);
    BoosterSettings settings = BadInputTest.of(objective, gamma, multiclass);
    var booster = new Booster(settings);
    Model untrained = Booster.untrained(settings, SampleRows.FEATURES);
    Fit sparse =
        booster.extend(
            untrained,
            new Booster.Input(
                SampleRows.FEATURES,
                rows,
                new GroupMeans(groupOf, 100, weights),
                null,
                null,
                FitListener.NONE),
            new Workspace());
    assertThat(sparse.model()).isEqualTo(booster.fit(SampleRows.FEATURES, rows).model());
  }

  @ParameterizedTest
  @MethodSource("settings")
  void moreAnchorColumnsThanRows_areLearned(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = SampleRows.of(objective, 9, 40, 3);
    double[][] columns = new double[60][rows.size()];
    double[] weights = new double[rows.size()];
    Arrays.fill(weights, 1);
    var random = new SplittableRandom(2);
    for (double[] column : columns) {
      Arrays.setAll(column, row -> random.nextGaussian());
    }
    BoosterSettings settings = BadInputTest.of(objective, gamma, multiclass);
    var anchor = new ColumnSpan(columns, weights);
    assertThat(anchor.rank()).isEqualTo(rows.size());
    Fit fit =
        new Booster(settings)
            .extend(
                Booster.untrained(settings, SampleRows.FEATURES),
                new Booster.Input(SampleRows.FEATURES, rows, anchor, null, null, FitListener.NONE),
                new Workspace());
    assertSound(fit, objective);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void featuresThatSayNothing_leaveTheBase(
      Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = withFeatures(SampleRows.of(objective, 10, 80, 3), nothing());
    for (LinearBase base : new LinearBase[] {null, new LinearBase(0.1, 0.5)}) {
      Model model = learn(BadInputTest.of(objective, gamma, multiclass), base, rows);
      model
          .segments()
          .forEach(segment -> assertThat(segment.trees()).allMatch(tree -> tree.leaves() == 1));
      double[] first = new double[objective.outputs()];
      double[] other = new double[objective.outputs()];
      Scorer.of(model).score(nothing(), first);
      Scorer.of(model).score(new double[] {3, -3, 1e300, 2}, other);
      assertThat(other).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @MethodSource("votes")
  void featuresThatSayNothing_voteForTheMajority(AdaBoostSettings settings) {
    for (int classes : new int[] {2, 3}) {
      Rows.Builder rows = Rows.builder(WIDTH);
      for (int row = 0; row < 40; row++) {
        rows.add(nothing(), row % 4 == 0 ? 0 : 1, "e");
      }
      Model model =
          new AdaBooster(settings).fit(classes, SampleRows.FEATURES, rows.build()).model();
      double[] scores = new double[model.objective().outputs()];
      Scorer.of(model).score(new double[] {3, -3, 1e300, 2}, scores);
      double[] probabilities = new double[classes];
      model.objective().probabilities(scores, probabilities);
      assertThat(probabilities[1]).isGreaterThan(probabilities[0]);
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void strangeFeatures_areLearned(Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = withStrangeFeatures(SampleRows.of(objective, 11, 120, 3));
    for (LinearBase base : new LinearBase[] {null, new LinearBase(0.1, 0.5)}) {
      Model model = learn(BadInputTest.of(objective, gamma, multiclass), base, rows);
      double[] noCode = new double[objective.outputs()];
      double[] missing = new double[objective.outputs()];
      Scorer.of(model).score(new double[] {0, 0, 0, 77.5}, noCode);
      Scorer.of(model).score(new double[] {0, 0, 0, Double.NaN}, missing);
      assertThat(noCode).as("what is no code is missing").isEqualTo(missing);
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void weightsFarApart_areLearned(Objective objective, double gamma, MulticlassTrees multiclass) {
    Rows rows = withWeightsFarApart(SampleRows.of(objective, 12, 100, 3));
    learn(BadInputTest.of(objective, gamma, multiclass), rows);
  }

  @ParameterizedTest
  @MethodSource("votes")
  void strangeRows_areVotedOn(AdaBoostSettings settings) {
    for (Objective objective :
        List.of(Objective.named("exponential"), Objective.of("softmax", Map.of("classes", 4.0)))) {
      Rows plain = SampleRows.of(objective, 13, 120, 3);
      for (Rows rows :
          List.of(
              withStrangeFeatures(plain),
              withWeightsFarApart(plain),
              SampleRows.of(objective, 14, 1, 1))) {
        AdaBoostFit fit =
            new AdaBooster(settings).fit(objective.classes(), SampleRows.FEATURES, rows);
        assertThat(fit.model().trees()).isPositive();
        double[] scores = Scorer.of(fit.model()).scores(rows);
        assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
      }
    }
  }

  private static Rows withStrangeFeatures(Rows plain) {
    Rows.Builder strange = Rows.builder(WIDTH);
    double[] values = new double[WIDTH];
    for (int row = 0; row < plain.size(); row++) {
      plain.copyFeatures(row, values);
      values[1] = row % 3 == 0 ? Double.MAX_VALUE : -Double.MAX_VALUE;
      values[2] = row % 2 == 0 ? Double.MIN_VALUE : -0.0;
      values[3] = new double[] {-1, 0.5, 5, 1e18, Double.NEGATIVE_INFINITY, 2}[row % 6];
      strange.add(values, plain.label(row), "e" + plain.environment(row));
    }
    return strange.build();
  }

  private static Rows withWeightsFarApart(Rows plain) {
    Rows.Builder weighted = Rows.builder(WIDTH);
    double[] values = new double[WIDTH];
    for (int row = 0; row < plain.size(); row++) {
      plain.copyFeatures(row, values);
      double weight = new double[] {1e-300, 1e-9, 1, 1e9}[row % 4];
      weighted.add(values, plain.label(row), weight, "e" + plain.environment(row));
    }
    return weighted.build();
  }

  static Model learn(BoosterSettings settings, Rows rows) {
    return learn(settings, null, rows);
  }

  private static Model learn(BoosterSettings settings, @Nullable LinearBase base, Rows rows) {
    BoosterSettings based = settings.toBuilder().linearBase(base).build();
    Fit fit = new Booster(based).fit(SampleRows.FEATURES, rows);
    assertSound(fit, settings.objective());
    assertThat(Scorer.of(fit.model()).scores(rows)).doesNotContain(Double.NaN);
    return fit.model();
  }

  /** Losses are finite, and do not rise. */
  private static void assertSound(Fit fit, Objective objective) {
    for (int round = 0; round < fit.losses().size(); round++) {
      AnchorLoss loss = fit.losses().get(round);
      assertThat(loss.total()).as("round %s", round).isFinite();
      if (round > 0 && objective.anchorable()) {
        AnchorLoss before = fit.losses().get(round - 1);
        double slack = 1e-9 * (Math.abs(before.base()) + Math.abs(before.penalty()) + 1e-9);
        assertThat(loss.total()).as("round %s", round).isLessThanOrEqualTo(before.total() + slack);
      }
    }
    for (int k = 0; k < fit.model().base().outputs(); k++) {
      assertThat(fit.model().base().intercept(k)).isFinite();
    }
  }

  private static double[] nothing() {
    return new double[] {7, Double.NaN, Double.POSITIVE_INFINITY, 9};
  }

  private static Rows withFeatures(Rows rows, double[] values) {
    Rows.Builder same = Rows.builder(rows.width());
    for (int row = 0; row < rows.size(); row++) {
      same.add(values, rows.label(row), "e" + rows.environment(row));
    }
    return same.build();
  }
}
