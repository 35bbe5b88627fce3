package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.ada.AdaBoostFit;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many rows, many features, and many of both: no index or sum overflows, and what is to be learned
 * is learned. The label depends on the last feature and the environment; the last rows are like the
 * others.
 */
class LargeWindowTest {
  private static final int MILLION = 1_000_000;
  private static final int ENVIRONMENTS = 8;

  @ParameterizedTest
  @CsvSource({"squared, 7", "logistic, 7", "absolute, 1"})
  void millionRows_areLearned(String name, double gamma) {
    Objective objective = Objective.named(name);
    check(settings(objective, gamma).build(), rows(objective, MILLION, 3));
  }

  @Test
  void millionRows_ofSeveralClasses_areLearned() {
    Objective softmax = Objective.of("softmax", Map.of("classes", 3.0));
    BoosterSettings vector =
        settings(softmax, 3).multiclass(MulticlassTrees.VECTOR).rounds(2).build();
    check(vector, rows(softmax, MILLION, 2));
  }

  @Test
  void millionRows_onALinearBase_areLearned() {
    Objective objective = Objective.named("squared");
    BoosterSettings linear =
        settings(objective, 7).linearBase(new LinearBase(0.01, 0.5)).rounds(1).build();
    check(linear, rows(objective, MILLION, 3));
  }

  @Test
  void millionRows_areVotedOn() {
    Rows rows = rows(Objective.named("logistic"), MILLION, 3);
    AdaBoostFit fit = new AdaBooster(AdaBoostSettings.stumps(3)).fit(2, features(3), rows);
    assertThat(fit.rounds()).hasSize(3).allMatch(round -> round.kept() && round.error() < 0.5);
    assertThat(fit.model().segments().getFirst().trees().getFirst().feature(0)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"squared, 7", "probit, 7"})
  void thousandFeatures_areLearned(String name, double gamma) {
    Objective objective = Objective.named(name);
    check(settings(objective, gamma).build(), rows(objective, 4000, 1000));
  }

  @Test
  void thousandFeatures_ofTenClasses_areLearned() {
    Objective softmax = Objective.of("softmax", Map.of("classes", 10.0));
    check(settings(softmax, 3).build(), rows(softmax, 3000, 1000));
  }

  @Test
  void thousandFeatures_onALinearBase_areLearned() {
    Objective objective = Objective.named("squared");
    BoosterSettings linear =
        settings(objective, 7).linearBase(new LinearBase(0.1, 1)).rounds(1).build();
    Model model = check(linear, rows(objective, 3000, 1000));
    assertThat(model.base().terms()).hasSizeLessThan(100);
    assertThat(model.base().terms().getLast().feature()).isEqualTo(999);
  }

  @Test
  void thousandFeatures_areVotedOn() {
    Rows rows = rows(Objective.of("softmax", Map.of("classes", 5.0)), 3000, 1000);
    var trees = AdaBoostSettings.stumps(3).withMaxDepth(2);
    AdaBoostFit fit = new AdaBooster(trees).fit(5, features(1000), rows);
    assertThat(fit.model().segments().getFirst().trees().getFirst().feature(0)).isEqualTo(999);
  }

  /** 8 GB of features and 1 GB of bins: {@code ./mvnw -Plong -pl boosting -am test}. */
  @Test
  @Tag("long")
  void millionRowsOfAThousandFeatures_areLearned() {
    Objective objective = Objective.named("squared");
    check(settings(objective, 7).build(), rows(objective, MILLION, 1000));
  }

  private static BoosterSettings.Builder settings(Objective objective, double gamma) {
    return BoosterSettings.builder(objective)
        .gamma(gamma)
        .rounds(3)
        .learningRate(0.5)
        .trees(new TreeLimits(8, 3, 20, 1e-3, 0))
        .threads(2);
  }

  private static Model check(BoosterSettings settings, Rows rows) {
    Fit fit = new Booster(settings).fit(features(rows.width()), rows);
    Model model = fit.model();
    List<AnchorLoss> losses = fit.losses();
    for (int round = 1; round < losses.size(); round++) {
      assertThat(losses.get(round).total()).isFinite().isLessThan(losses.get(round - 1).total());
    }
    boolean fromTheLine = !model.base().terms().isEmpty(); // trees then learn what it leaves
    assertThat(model.segments().getFirst().trees())
        .filteredOn(tree -> tree.leaves() > 1)
        .isNotEmpty()
        .allMatch(tree -> tree.gain(0) > 0 && tree.gain(0) < Float.POSITIVE_INFINITY)
        .anyMatch(tree -> fromTheLine || tree.feature(0) == rows.width() - 1);
    double loss = Evaluation.of(model.objective(), rows, Scorer.of(model).scores(rows)).loss();
    double trained = losses.getLast().base() / rows.size();
    assertThat(loss).isCloseTo(trained, within(1e-9 * Math.abs(trained)));
    return model;
  }

  private static Rows rows(Objective objective, int size, int width) {
    var random = new SplittableRandom(7);
    Rows.Builder rows = Rows.builder(width).expecting(size);
    double[] values = new double[width];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < width; column++) {
        values[column] = random.nextDouble();
      }
      int environment = random.nextInt(ENVIRONMENTS);
      double signal = 4 * values[width - 1] - 2 + 0.1 * environment + random.nextDouble() - 0.5;
      rows.add(values, SampleRows.labelFor(objective, signal), "e" + environment);
    }
    return rows.build();
  }

  private static List<Feature> features(int width) {
    return IntStream.range(0, width)
        .<Feature>mapToObj(column -> new Feature.Numeric("x" + column))
        .toList();
  }
}
