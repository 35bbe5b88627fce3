package io.holdfast.boosting.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GammaSearchTest {
  private static final List<Double> GAMMAS = List.of(0.0, 1.0, 7.0, 64.0);
  private static final Criterion MEAN = new Criterion.Mean();
  private static final Criterion WORST = new Criterion.Worst();

  private static GammaSearch search(Criterion criterion, boolean choosesRounds) {
    return new GammaSearch(GAMMAS, criterion, choosesRounds, 3, 1, 8);
  }

  private static BoosterSettings settings(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(15)
        .learningRate(0.2)
        .trees(new TreeLimits(8, 4, 5, 1e-3, 0))
        .build();
  }

  @Test
  void losses_areThoseOfModelsTrainedWithoutTheEnvironment() {
    Rows rows = SampleRows.of(new Logistic(), 1, 300, 4);
    BoosterSettings settings = settings(new Logistic());
    Model untrained = Booster.untrained(settings, SampleRows.FEATURES);
    HeldOutLosses losses =
        search(MEAN, false).measure(settings, untrained, SampleRows.FEATURES, rows);

    assertThat(losses.environments()).isEqualTo(rows.environments());
    assertThat(losses.rounds()).isEqualTo(15);
    for (int environment = 0; environment < 4; environment++) {
      int left = environment;
      int[] train = where(rows, row -> rows.environment(row) != left);
      Rows test = rows.subset(where(rows, row -> rows.environment(row) == left));
      for (int k = 0; k < GAMMAS.size(); k++) {
        BoosterSettings same = settings.toBuilder().gamma(GAMMAS.get(k)).build();
        Model model = new Booster(same).fit(SampleRows.FEATURES, rows.subset(train)).model();
        double[] scores = Scorer.of(model).scores(test);
        assertThat(losses.loss(k, 15, environment))
            .isCloseTo(Evaluation.of(new Logistic(), test, scores).loss(), within(1e-12));
      }
    }
  }

  @Test
  void listener_isToldOfEachTraining() {
    Rows rows = SampleRows.of(new Squared(), 1, 100, 4);
    List<String> told = new ArrayList<>();
    search(MEAN, false)
        .choose(
            settings(new Squared()),
            SampleRows.FEATURES,
            rows,
            (trained, trainings) -> told.add(trained + " of " + trainings));
    assertThat(told)
        .isEqualTo(IntStream.rangeClosed(1, 16).mapToObj(done -> done + " of 16").toList());
  }

  @Test
  void choice_isTheCandidateOfLowestRisk_byEachCriterion() {
    Rows rows = SampleRows.of(new Squared(), 2, 200, 5);
    for (Criterion criterion : List.of(MEAN, WORST, new Criterion.Quantile(0.9))) {
      GammaChoice choice =
          search(criterion, false).choose(settings(new Squared()), SampleRows.FEATURES, rows);

      assertThat(choice.trials()).extracting(GammaChoice.Trial::gamma).isEqualTo(GAMMAS);
      double least =
          choice.trials().stream().mapToDouble(GammaChoice.Trial::risk).min().orElseThrow();
      for (GammaChoice.Trial trial : choice.trials()) {
        double[] losses = trial.losses().stream().mapToDouble(loss -> loss).toArray();
        assertThat(losses).hasSize(5);
        assertThat(trial.risk()).isEqualTo(criterion.of(losses));
        assertThat(trial.rounds()).isEqualTo(15);
        if (trial.gamma() == choice.gamma()) {
          assertThat(trial.risk()).isEqualTo(least);
        }
      }
    }
  }

  @Test
  void environmentsThatShiftFeatureAndLabelTogether_callForAnAnchor() {
    Rows rows = shifting(600, 6);
    GammaChoice choice =
        search(WORST, false)
            .choose(settings(new Squared()), List.of(new Feature.Numeric("x")), rows);

    assertThat(choice.gamma()).isGreaterThan(1);
  }

  @Test
  void candidatesOfEqualRisk_giveTheOneNearestToOne() {
    // Rows of one feature value: no tree ever splits, so that gamma is without effect.
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < 60; row++) {
      rows.add(new double[] {5}, 0, "environment " + row % 3);
    }
    GammaChoice choice =
        search(MEAN, true)
            .choose(settings(new Squared()), List.of(new Feature.Numeric("x")), rows.build());

    assertThat(choice.gamma()).isEqualTo(1);
    assertThat(choice.rounds()).isEqualTo(1);
  }

  @Test
  void tooFewEnvironments_giveGammaOne() {
    Rows rows = SampleRows.of(new Squared(), 3, 100, 2);
    GammaChoice choice =
        GammaSearch.DEFAULT.choose(settings(new Squared()), SampleRows.FEATURES, rows);

    assertThat(choice.gamma()).isEqualTo(1);
    assertThat(choice.rounds()).isEqualTo(15);
    assertThat(choice.trials()).isEmpty();
  }

  @Test
  void environmentsOfFewRows_areNotHeldOut() {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < 90; row++) {
      rows.add(new double[] {row}, row % 7, "environment " + row % 3);
    }
    rows.add(new double[] {1}, 1000, "lonely");
    GammaChoice choice =
        new GammaSearch(GAMMAS, MEAN, false, 3, 2, 5)
            .choose(settings(new Squared()), List.of(new Feature.Numeric("x")), rows.build());

    assertThat(choice.trials().getFirst().losses()).hasSize(3);
  }

  @Test
  void manyEnvironments_areHeldOutInGroups_eachOnce() {
    Rows rows = SampleRows.of(new Squared(), 4, 400, 12);
    HeldOutGroups groups = HeldOutGroups.of(rows, 3, 1, 5);

    assertThat(groups.groups()).hasSize(5);
    assertThat(groups.environments()).isEqualTo(rows.environments());
    int[] held =
        groups.groups().stream().flatMapToInt(group -> IntStream.of(group.test())).toArray();
    assertThat(held).hasSize(400).doesNotHaveDuplicates();
    for (HeldOutGroups.Group group : groups.groups()) {
      assertThat(group.test().length).isBetween(60, 100);
      assertThat(group.train()).hasSize(400 - group.test().length).doesNotContain(group.test());
      List<String> trained = rows.subset(group.train()).environments();
      assertThat(rows.subset(group.test()).environments()).doesNotContainAnyElementsOf(trained);
    }
  }

  @Test
  void roundsChosen_areTheBestOfEachCandidate() {
    Rows rows = SampleRows.of(new Logistic(), 5, 150, 4);
    BoosterSettings settings =
        settings(new Logistic()).toBuilder().rounds(40).learningRate(0.5).build();
    Model untrained = Booster.untrained(settings, SampleRows.FEATURES);
    HeldOutLosses losses =
        search(MEAN, true).measure(settings, untrained, SampleRows.FEATURES, rows);
    GammaChoice choice = losses.choose(MEAN, true);

    assertThat(choice.rounds()).isBetween(1, 39); // it overfits, so that stopping pays
    for (int k = 0; k < GAMMAS.size(); k++) {
      for (int round = 1; round <= 40; round++) {
        double[] byEnvironment = new double[4];
        for (int environment = 0; environment < 4; environment++) {
          byEnvironment[environment] = losses.loss(k, round, environment);
        }
        assertThat(MEAN.of(byEnvironment)).isGreaterThanOrEqualTo(choice.trials().get(k).risk());
      }
    }
    BoosterSettings applied = choice.appliedTo(settings);
    assertThat(applied.gamma()).isEqualTo(choice.gamma());
    assertThat(applied.rounds()).isEqualTo(choice.rounds());
  }

  @Test
  void model_isExtended_notReplaced() {
    Rows rows = SampleRows.of(new Squared(), 6, 200, 4);
    BoosterSettings settings = settings(new Squared());
    Model start = new Booster(settings).fit(SampleRows.FEATURES, rows).model();
    HeldOutLosses losses = search(MEAN, false).measure(settings, start, SampleRows.FEATURES, rows);

    double[] scores = Scorer.of(start).scores(rows);
    List<Evaluation> before = Evaluation.byEnvironment(new Squared(), rows, scores);
    for (int environment = 0; environment < 4; environment++) {
      assertThat(losses.loss(0, 0, environment))
          .isCloseTo(before.get(environment).loss(), within(1e-12));
    }
  }

  @Test
  void sameArguments_giveTheSameChoice_andNamesOfEnvironmentsDoNotMatter() {
    Rows rows = SampleRows.of(new Logistic(), 7, 200, 7);
    Rows.Builder renamed = Rows.builder(rows.width());
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      renamed.add(values, rows.label(row), "Z" + (100 - rows.environment(row)));
    }
    GammaSearch search = new GammaSearch(GAMMAS, WORST, true, 3, 1, 4);
    GammaChoice choice = search.choose(settings(new Logistic()), SampleRows.FEATURES, rows);

    assertThat(search.choose(settings(new Logistic()), SampleRows.FEATURES, rows))
        .isEqualTo(choice);
    assertThat(search.choose(settings(new Logistic()), SampleRows.FEATURES, renamed.build()))
        .isEqualTo(choice);
  }

  @Test
  void settings_thatMakeNoSense_areRefusedInOneSentence() {
    assertThatThrownBy(() -> new GammaSearch(List.of(2.0), MEAN, false, 3, 1, 5))
        .hasMessage("1 must be one of the gammas to choose from: [2.0]");
    assertThatThrownBy(() -> new GammaSearch(List.of(1.0, 0.5), MEAN, false, 3, 1, 5))
        .hasMessage("gammas to choose from must be ascending: [1.0, 0.5]");
    assertThatThrownBy(() -> new GammaSearch(List.of(-1.0, 1.0), MEAN, false, 3, 1, 5))
        .hasMessage("a gamma to choose from must be 0 or more and finite: -1.0");
    assertThatThrownBy(() -> new GammaSearch(List.of(1.0, Double.NaN), MEAN, false, 3, 1, 5))
        .hasMessage("a gamma to choose from must be 0 or more and finite: NaN");
    assertThatThrownBy(() -> new GammaSearch(GAMMAS, MEAN, false, 1, 1, 5))
        .hasMessage("minEnvironments must be at least 2: 1");
    assertThatThrownBy(() -> new GammaSearch(GAMMAS, MEAN, false, 3, 0, 5))
        .hasMessage("minRows must be at least 1: 0");
    assertThatThrownBy(() -> new GammaSearch(GAMMAS, MEAN, false, 3, 1, 1))
        .hasMessage("parts must be at least 2: 1");
  }

  @Test
  void interrupt_endsTheSearch() {
    Rows rows = SampleRows.of(new Squared(), 8, 100, 4);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(
              () -> search(MEAN, false).choose(settings(new Squared()), SampleRows.FEATURES, rows))
          .isInstanceOf(CancellationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /**
   * The label follows the feature, but an unseen shift moves both in a ratio of its own: the plain
   * fit leans on that ratio, which is another in the environment left out.
   */
  private static Rows shifting(int size, int environments) {
    var random = new SplittableRandom(11);
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < size; row++) {
      int environment = row % environments;
      double shift = 3 * (environment - 0.5 * (environments - 1));
      double hidden = random.nextGaussian();
      double x = shift + hidden + 0.3 * random.nextGaussian();
      rows.add(new double[] {x}, 0.5 * x + 2 * hidden, "environment " + environment);
    }
    return rows.build();
  }

  private static int[] where(Rows rows, IntPredicate condition) {
    return IntStream.range(0, rows.size()).filter(condition).toArray();
  }
}
