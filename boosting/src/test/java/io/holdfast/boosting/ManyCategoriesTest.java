package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.scoring.TreeWalkScorer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns with more categories than bins: all of them count. */
class ManyCategoriesTest {
  private static final BoosterSettings SETTINGS =
      BoosterSettings.builder(new Squared()).rounds(60).learningRate(0.2).build();

  @ParameterizedTest
  @ValueSource(ints = {200, 1_000, 8_000})
  void fit_twoLevelsByCategory_learnsThemAll(int categories) {
    Rows rows = rows(categories, 20 * categories, 1, code -> level(code));
    Model model = new Booster(SETTINGS).fit(features(categories), rows).model();
    assertThat(error(model, rows(categories, 2_000, 2, code -> level(code)))).isLessThan(0.4);
  }

  @Test
  void fit_idsThatOccurOnce_asWithoutThem() {
    int size = 4_000;
    Rows.Builder with = Rows.builder(2);
    Rows.Builder without = Rows.builder(2);
    Rows.Builder later = Rows.builder(2);
    var random = new SplittableRandom(3);
    for (int row = 0; row < size; row++) {
      double x = random.nextDouble();
      double label = 3 * x + random.nextDouble();
      with.add(new double[] {row, x}, label, "all");
      without.add(new double[] {0, x}, label, "all");
      double other = random.nextDouble();
      later.add(new double[] {row, other}, 3 * other + random.nextDouble(), "all");
    }
    Rows test = later.build();
    var booster = new Booster(SETTINGS);
    double error = error(booster.fit(features(size), with.build()).model(), test);
    double without0 = error(booster.fit(features(size), without.build()).model(), test);
    assertThat(error).isLessThan(1.01 * without0);
  }

  @Test
  void extend_newCategoriesLater_countFromThenOn() {
    Rows first = rows(400, 8_000, 4, code -> level(code));
    Model model = new Booster(SETTINGS).fit(features(400), first).model();
    Rows second = rows(1_000, 20_000, 5, code -> level(code));
    Model longer =
        new Booster(SETTINGS).extend(model, features(1_000), second, FitListener.NONE).model();
    assertThat(error(longer, rows(1_000, 2_000, 6, code -> level(code)))).isLessThan(0.4);
    assertThat(longer.segments()).hasSize(2);
    assertThat(groups(longer.segments().get(0).trees())).hasSize(1);
    assertThat(groups(longer.segments().get(1).trees())).hasSize(1);
    assertSameScores(longer, rows(1_200, 3_000, 7, code -> level(code)));
  }

  @Test
  void fit_classesByCategory_learnsThem() {
    int classes = 5;
    var settings = BoosterSettings.builder(new Softmax(classes)).rounds(40).build();
    Rows rows = rows(1_000, 20_000, 8, code -> code * 7 % classes);
    Model model = new Booster(settings).fit(features(1_000), rows).model();
    assertThat(wrong(model, rows(1_000, 2_000, 9, code -> code * 7 % classes))).isLessThan(0.02);
    assertSameScores(model, rows);
  }

  @Test
  void adaBoost_manyCategories_learnsThem() {
    var settings = AdaBoostSettings.stumps(30).withMaxDepth(3).withCriterion(Criterion.GINI);
    Rows rows = rows(1_000, 20_000, 10, code -> code * 7 % 13 % 2);
    Model model = new AdaBooster(settings).fit(2, features(1_000), rows).model();
    Rows test = rows(1_000, 2_000, 11, code -> code * 7 % 13 % 2);
    double[] scores = Scorer.of(model).scores(test);
    long wrong =
        IntStream.range(0, test.size())
            .filter(row -> (scores[row] > 0) != (test.label(row) == 1))
            .count();
    assertThat(wrong).isLessThan(40);
  }

  @Test
  void fit_twice_sameModelWhateverTheThreads() {
    Rows rows = rows(600, 9_000, 12, code -> level(code));
    Model model = new Booster(SETTINGS).fit(features(600), rows).model();
    var threads = new Booster(SETTINGS.toBuilder().threads(3).build());
    assertThat(trees(threads.fit(features(600), rows).model())).isEqualTo(trees(model));
    var workspace = Workspace.rememberingRows();
    Model start = new Booster(SETTINGS, workspace).fit(features(600), rows).model();
    assertThat(trees(start)).isEqualTo(trees(model));
    // The same rows once more, at other gradients: not by the groups of before.
    Model further =
        new Booster(SETTINGS, workspace)
            .extend(start, features(600), rows, FitListener.NONE)
            .model();
    Model alone =
        new Booster(SETTINGS).extend(model, features(600), rows, FitListener.NONE).model();
    assertThat(trees(further)).isEqualTo(trees(alone));
  }

  private static List<Tree> trees(Model model) {
    return model.segments().stream().flatMap(segment -> segment.trees().stream()).toList();
  }

  private static double level(int code) {
    return new SplittableRandom(code).nextBoolean() ? 5 : -5;
  }

  private static List<Feature> features(int categories) {
    return List.of(
        new Feature.Categorical(
            "kind", IntStream.range(0, categories).mapToObj(k -> "k" + k).toList()),
        new Feature.Numeric("x"));
  }

  private static Rows rows(int categories, int size, long seed, IntToDoubleFunction label) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(2);
    for (int row = 0; row < size; row++) {
      int code = random.nextInt(categories);
      rows.add(new double[] {code, random.nextDouble()}, label.applyAsDouble(code), "all");
    }
    return rows.build();
  }

  private static double error(Model model, Rows rows) {
    double[] scores = Scorer.of(model).scores(rows);
    double squares = 0;
    for (int row = 0; row < rows.size(); row++) {
      squares += (scores[row] - rows.label(row)) * (scores[row] - rows.label(row));
    }
    return Math.sqrt(squares / rows.size());
  }

  private static double wrong(Model model, Rows rows) {
    double[] scores = Scorer.of(model).scores(rows);
    int wrong = 0;
    for (int row = 0; row < rows.size(); row++) {
      int best = 0;
      for (int k = 1; k < model.base().outputs(); k++) {
        best = scores[k * rows.size() + row] > scores[best * rows.size() + row] ? k : best;
      }
      wrong += best == rows.label(row) ? 0 : 1;
    }
    return (double) wrong / rows.size();
  }

  private static List<CategoryGroups> groups(List<Tree> trees) {
    return trees.stream()
        .flatMap(tree -> IntStream.range(0, tree.innerNodes()).mapToObj(tree::categoryGroups))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private static void assertSameScores(Model model, Rows rows) {
    assertThat(Scorer.of(model).scores(rows)).isEqualTo(new TreeWalkScorer(model).scores(rows));
  }
}
