package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoosterTest {
  private static final List<Feature> FEATURES = SampleRows.FEATURES;

  @ParameterizedTest
  @CsvSource({
    "squared, 0.5", "squared, 1", "squared, 7",
    "logistic, 0.5", "logistic, 1", "logistic, 7",
    "probit, 0.5", "probit, 1", "probit, 7"
  })
  void extend_learnableRows_lossFallsToThatOfTheModel(String name, double gamma) {
    Objective objective = Objective.named(name);
    BoosterSettings settings = settings(objective, gamma);
    Rows rows = SampleRows.of(objective, 1, 500, 4);
    List<AnchorLoss> heard = new ArrayList<>();
    Fit fit =
        fit(
            settings,
            rows,
            (round, loss) -> {
              assertThat(round).isEqualTo(heard.size());
              heard.add(loss);
            });
    assertThat(fit.losses()).hasSize(settings.rounds() + 1).isEqualTo(heard);
    for (int round = 1; round < heard.size(); round++) {
      AnchorLoss before = heard.get(round - 1);
      assertThat(heard.get(round).total())
          .isLessThanOrEqualTo(before.total() + 1e-10 * before.base());
    }
    assertThat(heard.getLast().total()).isLessThan(0.8 * heard.getFirst().total());
    double[] scores = Scorer.of(fit.model()).scores(rows);
    double loss = 0;
    for (int row = 0; row < rows.size(); row++) {
      loss += objective.loss(rows.label(row), scores[row]);
    }
    assertThat(loss).as("the trained scores are the model's").isEqualTo(heard.getLast().base());
    assertThat(fit.safeguards()).isZero();
  }

  @Test
  void extend_modelWithTrees_appendsOneSegmentAndKeepsTheRest() {
    BoosterSettings settings = settings(new Logistic(), 2);
    Rows first = SampleRows.of(new Logistic(), 1, 300, 2);
    Rows second = SampleRows.of(new Logistic(), 2, 300, 2);
    Model once = fit(settings, first, FitListener.NONE).model();
    Fit fit = new Booster(settings).extend(once, FEATURES, second, FitListener.NONE);
    Model twice = fit.model();
    assertThat(twice.base()).isEqualTo(once.base());
    assertThat(twice.segments()).hasSize(2);
    assertThat(twice.segments().getFirst()).isEqualTo(once.segments().getFirst());
    assertThat(twice.segments().getLast().trees()).hasSize(settings.rounds());
    assertThat(twice.segments().getLast().decay()).isEqualTo(1);
    double start = 0;
    double[] scores = Scorer.of(once).scores(second);
    for (int row = 0; row < second.size(); row++) {
      start += new Logistic().loss(second.label(row), scores[row]);
    }
    assertThat(fit.losses().getFirst().base()).isEqualTo(start);
  }

  @Test
  void extend_decayedSegments_startsFromTheDecayedScores() {
    BoosterSettings settings = settings(new Squared(), 1);
    Rows rows = SampleRows.of(new Squared(), 1, 300, 2);
    Model model = fit(settings, rows, FitListener.NONE).model();
    Model faded =
        new Model(
            model.objective(),
            FEATURES,
            model.base(),
            List.of(new Segment(model.segments().getFirst().trees(), 0.5)));
    Fit fit = new Booster(settings).extend(faded, FEATURES, rows, FitListener.NONE);
    double loss = 0;
    double[] scores = Scorer.of(fit.model()).scores(rows);
    for (int row = 0; row < rows.size(); row++) {
      loss += new Squared().loss(rows.label(row), scores[row]);
    }
    assertThat(loss).isEqualTo(fit.losses().getLast().base());
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "logistic", "probit"})
  void extend_gammaOne_sameBitsWhateverTheEnvironments(String name) {
    Objective objective = Objective.named(name);
    Rows rows = SampleRows.of(objective, 3, 400, 5);
    Rows merged = with(rows, environment -> "all");
    Fit anchored = fit(settings(objective, 1), rows, FitListener.NONE);
    Fit plain = fit(settings(objective, 1), merged, FitListener.NONE);
    assertThat(anchored).isEqualTo(plain);
    assertThat(anchored.losses()).allMatch(loss -> loss.penalty() == 0);
    Fit strong = fit(settings(objective, 7), rows, FitListener.NONE);
    assertThat(strong.model()).isNotEqualTo(plain.model());
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "logistic", "probit"})
  void extend_renamedEnvironments_sameBits(String name) {
    Objective objective = Objective.named(name);
    Rows rows = SampleRows.of(objective, 3, 400, 5);
    Rows renamed = with(rows, environment -> "z" + environment.hashCode());
    assertThat(fit(settings(objective, 7), renamed, FitListener.NONE))
        .isEqualTo(fit(settings(objective, 7), rows, FitListener.NONE));
  }

  @Test
  void extend_twice_sameBits() {
    Rows rows = SampleRows.of(new Probit(), 5, 400, 3);
    assertThat(fit(settings(new Probit(), 7), rows, FitListener.NONE))
        .isEqualTo(fit(settings(new Probit(), 7), rows, FitListener.NONE));
  }

  @ParameterizedTest
  @CsvSource({"squared, 1", "squared, 7", "logistic, 1", "logistic, 7", "probit, 7"})
  void extend_weightTwo_asTheRowTwice(String name, double gamma) {
    Objective objective = Objective.named(name);
    Rows rows = SampleRows.of(objective, 6, 200, 3);
    Rows.Builder heavy = Rows.builder(rows.width());
    Rows.Builder twice = Rows.builder(rows.width());
    double[] features = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      String environment = rows.environments().get(rows.environment(row));
      int times = row % 3 == 0 ? 2 : 1;
      heavy.add(features, rows.label(row), times, environment);
      for (int k = 0; k < times; k++) {
        twice.add(features, rows.label(row), environment);
      }
    }
    // Sums are added in another order, so the last bits may differ; rows are counted, so minRows 1.
    var limits = new TreeLimits(6, 3, 1, 2, 0.01);
    var settings =
        BoosterSettings.builder(objective)
            .gamma(gamma)
            .rounds(8)
            .learningRate(0.3)
            .trees(limits)
            .penalties(Penalties.ridge(1))
            .maxBins(255)
            .seed(0)
            .build();
    Fit weighted = fit(settings, heavy.build(), FitListener.NONE);
    Fit repeated = fit(settings, twice.build(), FitListener.NONE);
    for (int round = 0; round < weighted.losses().size(); round++) {
      double total = repeated.losses().get(round).total();
      assertThat(weighted.losses().get(round).total())
          .as("round %s", round)
          .isCloseTo(total, within(1e-10 * total));
    }
  }

  @Test
  void extend_nothingToSplit_isATreeOfOneLeaf() {
    Rows.Builder rows = Rows.builder(4);
    for (int row = 0; row < 40; row++) {
      rows.add(new double[] {7, Double.NaN, Double.POSITIVE_INFINITY, 9}, row % 2, "e" + row % 2);
    }
    Fit fit = fit(settings(new Logistic(), 7), rows.build(), FitListener.NONE);
    assertThat(fit.model().segments().getFirst().trees()).allMatch(tree -> tree.leaves() == 1);
    assertThat(Scorer.of(fit.model()).score(new double[4])).isFinite();
  }

  @ParameterizedTest
  @CsvSource({"logistic, 1", "logistic, 7", "probit, 1", "probit, 7"})
  void extend_oneClassOnly_staysFinite(String name, double gamma) {
    Objective objective = Objective.named(name);
    Rows.Builder rows = Rows.builder(4);
    var random = new SplittableRandom(2);
    for (int row = 0; row < 100; row++) {
      rows.add(SampleRows.values(random), 1, "e" + row % 3);
    }
    Fit fit = fit(settings(objective, gamma), rows.build(), FitListener.NONE);
    assertThat(fit.losses().getLast().total()).isFinite();
    assertThat(objective.prediction(Scorer.of(fit.model()).score(new double[4])))
        .isBetween(0.9, 1.0);
  }

  @Test
  void extend_categoriesAdded_becomeTheModels() {
    BoosterSettings settings = settings(new Squared(), 1);
    Rows rows = SampleRows.of(new Squared(), 1, 200, 2);
    List<Feature> fewer = new ArrayList<>(FEATURES);
    fewer.set(3, new Feature.Categorical("kind", List.of("red", "green")));
    Booster booster = new Booster(settings);
    Model old =
        booster.extend(Booster.untrained(settings, fewer), fewer, rows, FitListener.NONE).model();
    Model longer = booster.extend(old, FEATURES, rows, FitListener.NONE).model();
    assertThat(longer.features()).isEqualTo(FEATURES);
    assertThat(longer.segments().getFirst()).isEqualTo(old.segments().getFirst());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.extend(longer, fewer, rows, FitListener.NONE))
        .withMessage(
            "feature 3, kind, must have the name, type and first categories of the model's, kind");
  }

  @Test
  void extend_labelNotAllowed_saysWhichRowAndWhatIsAllowed() {
    Rows rows = Rows.builder(4).add(new double[4], 1, "a").add(new double[4], 2, "a").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fit(settings(new Logistic(), 7), rows, FitListener.NONE))
        .withMessage("labels must be 0 or 1 for logistic: row 1 has 2.0");
  }

  @Test
  void extend_whatDoesNotFit_saysWhat() {
    BoosterSettings settings = settings(new Squared(), 1);
    Booster booster = new Booster(settings);
    Model untrained = Booster.untrained(settings, FEATURES);
    Rows narrow = Rows.builder(1).add(new double[1], 0, "a").build();
    Rows huge = Rows.builder(4).add(new double[4], 1e200, "a").add(new double[4], 0, "a").build();
    Model logistic = Booster.untrained(settings(new Logistic(), 1), FEATURES);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> booster.extend(untrained, FEATURES, Rows.builder(4).build(), FitListener.NONE))
        .withMessage("there must be at least 1 row to train on: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.extend(untrained, FEATURES, narrow, FitListener.NONE))
        .withMessage("rows must have as many values as there are features, 4: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> booster.extend(untrained, FEATURES.subList(0, 1), narrow, FitListener.NONE))
        .withMessage("there must be as many features as the model has, 4: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.extend(logistic, FEATURES, huge, FitListener.NONE))
        .withMessage("the model's objective must be squared, as the settings say: logistic");
    var otherAnchor =
        new Booster.Input(
            FEATURES, huge, GroupMeans.ofEnvironments(narrow), null, null, FitListener.NONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.extend(untrained, otherAnchor, new Workspace()))
        .withMessage("the anchor must have as many rows as there are to train on, 2: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> booster.extend(untrained, FEATURES, huge, FitListener.NONE))
        .withMessageStartingWith("the labels must be small enough for a finite squared loss");
  }

  @Test
  void untrained_anything_scoresZero() {
    Model model = Booster.untrained(settings(new Logistic(), 1), FEATURES);
    assertThat(model.trees()).isZero();
    assertThat(Scorer.of(model).score(new double[4])).isZero();
  }

  private static Fit fit(BoosterSettings settings, Rows rows, FitListener listener) {
    return new Booster(settings)
        .extend(Booster.untrained(settings, FEATURES), FEATURES, rows, listener);
  }

  private static BoosterSettings settings(Objective objective, double gamma) {
    return BoosterSettings.builder(objective)
        .gamma(gamma)
        .rounds(20)
        .learningRate(0.3)
        .trees(new TreeLimits(8, 4, 5, 1e-3, 0))
        .penalties(Penalties.ridge(1))
        .maxBins(64)
        .seed(0)
        .build();
  }

  private static Rows with(Rows rows, UnaryOperator<String> environmentOf) {
    Rows.Builder builder = Rows.builder(rows.width());
    double[] features = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      String environment = rows.environments().get(rows.environment(row));
      builder.add(features, rows.label(row), environmentOf.apply(environment));
    }
    return builder.build();
  }
}
