package io.holdfast.boosting.ada;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.ada.AdaBoost.Criterion;
import io.holdfast.boosting.ada.AdaBoostFit.Round;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaBoosterTest {
  private static final List<Feature> FEATURES =
      List.of(
          new Feature.Numeric("x"),
          new Feature.Numeric("y"),
          new Feature.Categorical("kind", List.of("a", "b", "c", "d")));

  private static Rows rows(long seed, int size, int classes) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(3);
    for (int row = 0; row < size; row++) {
      double[] values = values(random);
      rows.add(values, label(values, classes, random), 0.5 + random.nextDouble(), "all");
    }
    return rows.build();
  }

  private static double[] values(SplittableRandom random) {
    double[] values = {random.nextDouble(), random.nextInt(20), random.nextInt(4)};
    if (random.nextInt(8) == 0) {
      values[random.nextInt(3)] = Double.NaN;
    }
    return values;
  }

  private static int label(double[] values, int classes, SplittableRandom random) {
    if (random.nextInt(10) == 0) {
      return random.nextInt(classes);
    }
    double size = Double.isNaN(values[0]) ? 0.9 : values[0];
    double kind = values[2] == 1 || values[2] == 3 ? 0.3 : 0;
    double level = values[1] > 12 ? 0.2 : 0;
    return (int) Math.min(classes - 1, (size + kind + level) / 1.5 * classes);
  }

  private static double error(Model model, Rows rows) {
    double[] scores = Scorer.of(model).scores(rows);
    double[] own = new double[model.objective().outputs()];
    double[] shares = new double[model.objective().classes()];
    double wrong = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < own.length; k++) {
        own[k] = scores[k * rows.size() + row];
      }
      model.objective().probabilities(own, shares);
      int best = 0;
      for (int k = 1; k < shares.length; k++) {
        best = shares[k] > shares[best] ? k : best;
      }
      wrong += best == rows.label(row) ? 0 : 1;
    }
    return wrong / rows.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void rounds_learnTheClasses(int classes) {
    Rows train = rows(1, 600, classes);
    Rows test = rows(2, 600, classes);
    for (Criterion criterion : Criterion.values()) {
      var settings = AdaBoostSettings.stumps(60).withCriterion(criterion);
      AdaBoostFit fit = new AdaBooster(settings).fit(classes, FEATURES, train);
      assertThat(error(fit.model(), test)).isLessThan(classes == 5 ? 0.7 : 0.2 * classes - 0.2);
    }
    var deeper = AdaBoostSettings.stumps(40).withMaxDepth(3).withMinRows(5);
    AdaBoostFit fit = new AdaBooster(deeper).fit(classes, FEATURES, train);
    assertThat(error(fit.model(), test)).isLessThan(0.3);
  }

  @Test
  void exponentialLoss_ofTwoClasses_fallsByItsBoundEachRound() {
    Rows rows = rows(3, 300, 2);
    double totalWeight = 0;
    for (int row = 0; row < rows.size(); row++) {
      totalWeight += rows.weight(row);
    }
    AdaBoostFit fit = new AdaBooster(AdaBoostSettings.stumps(40)).fit(2, FEATURES, rows);
    List<Tree> trees = fit.model().segments().getFirst().trees();
    double bound = 1;
    for (int round = 0; round < trees.size(); round++) {
      double error = fit.rounds().get(round).error();
      bound *= 2 * Math.sqrt(error * (1 - error));
      Model upTo =
          AdaBooster.untrained(2, FEATURES)
              .plus(new Segment(new ArrayList<>(trees.subList(0, round + 1))));
      double[] scores = Scorer.of(upTo).scores(rows);
      double loss = 0;
      for (int row = 0; row < rows.size(); row++) {
        loss += rows.weight(row) * new Exponential().loss(rows.label(row), scores[row]);
      }
      assertThat(loss / totalWeight).isCloseTo(bound, within(1e-10));
      assertThat(error).isLessThan(0.5);
    }
    assertThat(bound).isLessThan(0.9);
  }

  @Test
  void weights_sumToOne_andHalfOfThemWereWrong() {
    Rows rows = rows(4, 200, 3);
    RowWeights weights = RowWeights.after(new Softmax(3), rows, new double[600]);
    boolean[] wrong = new boolean[200];
    var random = new SplittableRandom(5);
    for (int round = 0; round < 50; round++) {
      for (int row = 0; row < 200; row++) {
        wrong[row] = random.nextInt(3) == 0;
      }
      weights.raise(wrong);
      double sum = 0;
      for (int row = 0; row < 200; row++) {
        sum += weights.weight(row);
      }
      assertThat(sum).isCloseTo(1, within(1e-14));
      assertThat(weights.error(wrong)).isCloseTo(2.0 / 3, within(1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void extending_isGoingOn(int classes) {
    Rows rows = rows(6, 300, classes);
    AdaBoostFit once = new AdaBooster(AdaBoostSettings.stumps(12)).fit(classes, FEATURES, rows);
    Model five = new AdaBooster(AdaBoostSettings.stumps(5)).fit(classes, FEATURES, rows).model();
    Model twelve = new AdaBooster(AdaBoostSettings.stumps(7)).extend(five, FEATURES, rows).model();
    assertThat(twelve.segments()).hasSize(2);
    assertThat(Scorer.of(twelve).scores(rows))
        .containsExactly(Scorer.of(once.model()).scores(rows), within(1e-9));
  }

  @Test
  void resampling_isAFunctionOfTheSeed() {
    Rows rows = rows(7, 300, 3);
    var settings = AdaBoostSettings.stumps(20).withResampling(1);
    Model one = new AdaBooster(settings).fit(3, FEATURES, rows).model();
    assertThat(new AdaBooster(settings).fit(3, FEATURES, rows).model()).isEqualTo(one);
    assertThat(new AdaBooster(settings.withResampling(2)).fit(3, FEATURES, rows).model())
        .isNotEqualTo(one);
    assertThat(error(one, rows)).isLessThan(0.35);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resampledStumps_haveRowsEnoughAmongThoseDrawn(boolean byError) {
    Rows rows = rows(8, 60, 2);
    var settings =
        AdaBoostSettings.stumps(30)
            .withResampling(3)
            .withMinRows(20)
            .withCriterion(byError ? Criterion.ERROR : Criterion.GINI);
    AdaBoostFit fit = new AdaBooster(settings).fit(2, FEATURES, rows);
    assertThat(fit.rounds()).hasSize(30);
    assertThat(fit.model().trees())
        .isEqualTo((int) fit.rounds().stream().filter(Round::kept).count())
        .isGreaterThan(3);
  }

  @Test
  void draw_takesTheFirstRowWhoseCumulativeWeightReachesIt() {
    double[] cumulative = {0.1, 0.1, 0.4, 1};
    assertThat(RowWeights.reached(cumulative, 0.05)).isZero();
    assertThat(RowWeights.reached(cumulative, 0.1)).isZero();
    assertThat(RowWeights.reached(cumulative, 0.100001)).isEqualTo(2);
    assertThat(RowWeights.reached(cumulative, 0.4)).isEqualTo(2);
    assertThat(RowWeights.reached(cumulative, 1)).isEqualTo(3);
  }

  @Test
  void draws_followTheWeights() {
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 10_000; row++) {
      builder.add(new double[1], 0, row < 5000 ? 1 : 3, "all");
    }
    RowWeights weights = RowWeights.after(new Exponential(), builder.build(), new double[10_000]);
    int[] times = weights.draw(new SplittableRandom(9));
    int light = 0;
    int all = 0;
    for (int row = 0; row < 10_000; row++) {
      light += row < 5000 ? times[row] : 0;
      all += times[row];
    }
    assertThat(all).isEqualTo(10_000);
    assertThat(light).isBetween(2300, 2700);
  }

  @Test
  void faultlessTree_votesFinitelyAndEndsTraining() {
    Rows rows =
        Rows.builder(3)
            .add(new double[] {0, 1, 0}, 0, "all")
            .add(new double[] {1, 1, 0}, 1, "all")
            .add(new double[] {2, 1, 0}, 1, "all")
            .build();
    for (Criterion criterion : Criterion.values()) {
      var settings = AdaBoostSettings.stumps(10).withCriterion(criterion);
      AdaBoostFit two = new AdaBooster(settings).fit(2, FEATURES, rows);
      double vote = Math.log(2 * 3 + 1);
      assertThat(two.rounds()).hasSize(1);
      assertThat(two.rounds().getFirst().error()).isZero();
      assertThat(two.rounds().getFirst().gini()).isZero();
      assertThat(two.rounds().getFirst().vote()).isCloseTo(vote, within(1e-14));
      assertThat(Scorer.of(two.model()).scores(rows))
          .containsExactly(new double[] {-vote / 2, vote / 2, vote / 2}, within(1e-14));
      AdaBoostFit three = new AdaBooster(settings).fit(3, FEATURES, rows);
      assertThat(three.rounds().getFirst().vote()).isCloseTo(vote + Math.log(2), within(1e-14));
    }
  }

  @Test
  void oneClassOnly_isVotedForByOneLeaf() {
    Rows rows =
        Rows.builder(3)
            .add(new double[] {0, 1, 0}, 1, "all")
            .add(new double[] {1, 1, 0}, 1, "all")
            .build();
    AdaBoostFit fit = new AdaBooster(AdaBoostSettings.stumps(5)).fit(2, FEATURES, rows);
    assertThat(fit.rounds()).hasSize(1);
    double score = Scorer.of(fit.model()).score(new double[] {Double.NaN, 3, 2});
    assertThat(fit.model().objective().prediction(score)).isCloseTo(5.0 / 6, within(1e-15));
  }

  @Test
  void constantFeatures_giveTheBaseRateAndNoMore() {
    Rows.Builder builder = Rows.builder(3);
    for (int row = 0; row < 10; row++) {
      builder.add(new double[] {5, Double.NaN, 2}, row < 7 ? 1 : 0, "all");
    }
    Rows rows = builder.build();
    for (Criterion criterion : Criterion.values()) {
      var settings = AdaBoostSettings.stumps(10).withCriterion(criterion);
      AdaBoostFit fit = new AdaBooster(settings).fit(2, FEATURES, rows);
      assertThat(fit.model().trees()).isEqualTo(1);
      assertThat(fit.rounds()).hasSize(2);
      assertThat(fit.rounds().getLast().kept()).isFalse();
      double score = Scorer.of(fit.model()).score(new double[] {5, 1, 2});
      assertThat(fit.model().objective().prediction(score)).isCloseTo(0.7, within(1e-12));
    }
  }

  @Test
  void treesNoBetterThanGuessing_areDiscarded() {
    Rows.Builder builder = Rows.builder(3);
    for (int row = 0; row < 10; row++) {
      builder.add(new double[] {5, 1, 2}, row % 2, "all");
    }
    Rows rows = builder.build();
    AdaBoostFit weighted = new AdaBooster(AdaBoostSettings.stumps(10)).fit(2, FEATURES, rows);
    assertThat(weighted.rounds()).hasSize(1);
    assertThat(weighted.model()).isEqualTo(AdaBooster.untrained(2, FEATURES));
    var resampling = AdaBoostSettings.stumps(10).withResampling(0);
    AdaBoostFit resampled = new AdaBooster(resampling).fit(2, FEATURES, rows);
    assertThat(resampled.rounds()).hasSize(10).noneMatch(Round::kept);
    assertThat(resampled.model().trees()).isZero();
  }

  @Test
  void missingAndUnseenCategories_goTheSameWay() {
    Rows.Builder builder = Rows.builder(3);
    for (int row = 0; row < 40; row++) {
      double kind = row % 4 == 3 ? Double.NaN : row % 4;
      builder.add(new double[] {0, 0, kind}, row % 4 == 1 ? 1 : 0, "all");
    }
    Rows rows = builder.build();
    for (Criterion criterion : Criterion.values()) {
      var settings = AdaBoostSettings.stumps(1).withCriterion(criterion);
      Model model = new AdaBooster(settings).fit(2, FEATURES, rows).model();
      Scorer scorer = Scorer.of(model);
      assertThat(scorer.score(new double[] {0, 0, 1})).isPositive();
      for (double kind : new double[] {0, 2, 3, Double.NaN, 17}) {
        assertThat(scorer.score(new double[] {0, 0, kind})).isNegative();
      }
    }
  }

  @Test
  void weightTwo_isTheRowTwice() {
    Rows.Builder weighted = Rows.builder(3);
    Rows.Builder repeated = Rows.builder(3);
    var random = new SplittableRandom(10);
    for (int row = 0; row < 120; row++) {
      double[] values = values(random);
      int label = label(values, 3, random);
      int times = 1 + random.nextInt(2);
      weighted.add(values, label, times, "all");
      for (int k = 0; k < times; k++) {
        repeated.add(values, label, "all");
      }
    }
    Rows rows = weighted.build();
    for (Criterion criterion : Criterion.values()) {
      var booster = new AdaBooster(AdaBoostSettings.stumps(15).withCriterion(criterion));
      Model one = booster.fit(3, FEATURES, rows).model();
      Model other = booster.fit(3, FEATURES, repeated.build()).model();
      assertThat(Scorer.of(one).scores(rows))
          .containsExactly(Scorer.of(other).scores(rows), within(1e-9));
    }
  }

  @Test
  void orderOfRows_changesRoundingOnly() {
    Rows rows = rows(11, 200, 3);
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      order.add(row);
    }
    Collections.reverse(order);
    Rows.Builder builder = Rows.builder(3);
    for (int row : order) {
      double[] values = new double[3];
      rows.copyFeatures(row, values);
      builder.add(values, rows.label(row), rows.weight(row), "all");
    }
    var booster = new AdaBooster(AdaBoostSettings.stumps(20).withCriterion(Criterion.ERROR));
    Model one = booster.fit(3, FEATURES, rows).model();
    Model other = booster.fit(3, FEATURES, builder.build()).model();
    assertThat(Scorer.of(one).scores(rows))
        .containsExactly(Scorer.of(other).scores(rows), within(1e-9));
  }

  @Test
  void statistics_coverAllRows() {
    Rows rows = rows(12, 100, 2);
    double total = 0;
    for (int row = 0; row < rows.size(); row++) {
      total += rows.weight(row);
    }
    for (Criterion criterion : Criterion.values()) {
      var settings = AdaBoostSettings.stumps(5).withCriterion(criterion);
      for (Tree tree :
          new AdaBooster(settings).fit(2, FEATURES, rows).model().segments().getFirst().trees()) {
        assertThat((double) tree.leafCover(0) + tree.leafCover(1)).isCloseTo(total, within(1e-4));
        assertThat(tree.gain(0)).isGreaterThanOrEqualTo(0);
      }
    }
  }

  @Test
  void badInput_isOneClearSentence() {
    Rows rows = rows(13, 10, 3);
    var booster = new AdaBooster(AdaBoostSettings.stumps(5));
    assertThatThrownBy(() -> booster.fit(2, FEATURES, rows))
        .hasMessageMatching("labels must be .* for exponential: row \\d+ has 2.0");
    assertThatThrownBy(() -> booster.fit(1, FEATURES, rows))
        .hasMessage("there must be at least 2 classes: 1");
    assertThatThrownBy(() -> booster.fit(2, FEATURES, Rows.builder(3).build()))
        .hasMessage("there must be at least 1 row to train on: 0");
    assertThatThrownBy(() -> booster.fit(3, FEATURES.subList(0, 2), rows))
        .hasMessage("rows must have as many values as there are features, 2: 3");
    Model squared = new Model(new Squared(), FEATURES, 0, List.of());
    assertThatThrownBy(() -> booster.extend(squared, FEATURES, rows))
        .hasMessage(
            "AdaBoost must go on from a model whose objective is exponential or softmax: squared");
    assertThatThrownBy(
            () -> AdaBoostSettings.stumps(5).withMaxDepth(2).withCriterion(Criterion.ERROR))
        .hasMessageContaining("maxDepth must be 1 where splits are chosen by error");
  }

  @Test
  void interrupt_endsTraining() {
    Rows rows = rows(14, 50, 2);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> new AdaBooster(AdaBoostSettings.stumps(5)).fit(2, FEATURES, rows))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
