package io.holdfast.boosting.evaluate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StreamEvaluationTest {
  private static final double EXACT = 1e-12;

  @Test
  void classes_ofAKnownTable_haveItsKappas() {
    // The table of Cohen's own kind: 20 and 15 agree, 5 and 10 do not.
    StreamEvaluation evaluation = new StreamEvaluation(2, 1_000, 0.99);
    rows(evaluation, 20, 1, 1);
    rows(evaluation, 5, 0, 1);
    rows(evaluation, 10, 1, 0);
    rows(evaluation, 15, 0, 0);
    var figures = evaluation.cumulative().byName();
    assertThat(figures.get("accuracy")).isEqualTo(0.7, within(EXACT));
    assertThat(figures.get("kappa")).isEqualTo(0.4, within(EXACT)); // chance agrees half the time
    assertThat(figures.get("kappaM")).isEqualTo((0.7 - 0.6) / 0.4, within(EXACT));
  }

  @Test
  void noChange_onALazyStream_makesKappaTemporalNegative() {
    // Labels stay for ten rows: who says "as before" is right nine times in ten.
    StreamEvaluation evaluation = new StreamEvaluation(2, 100, 0.99);
    LabelsSoFar labels = new LabelsSoFar(true);
    for (int row = 0; row < 1_000; row++) {
      int label = row / 10 % 2;
      int predicted = row % 5 == 0 ? 1 - label : label;
      evaluation.add(tested(label, predicted, 0, labels.last(), labels.commonest()), "all");
      labels.arrive(label);
    }
    var figures = evaluation.cumulative().byName();
    assertThat(figures.get("noChangeAccuracy")).isEqualTo(0.901, within(EXACT));
    assertThat(figures.get("accuracy")).isEqualTo(0.8, within(EXACT));
    assertThat(figures.get("kappaTemporal")).isNegative();
    assertThat(figures.get("kappa")).isPositive();
  }

  @Test
  void oneClass_hasNoKappa() {
    StreamEvaluation evaluation = new StreamEvaluation(3, 10, 0.9);
    rows(evaluation, 4, 2, 2);
    assertThat(evaluation.cumulative().byName()).doesNotContainKeys("kappa", "kappaM");
    assertThat(evaluation.cumulative().byName()).containsEntry("accuracy", 1.0);
  }

  @Test
  void windowed_forgetsWhatLeftIt() {
    StreamEvaluation evaluation = new StreamEvaluation(2, 100, 0.99);
    rows(evaluation, 500, 1, 0);
    rows(evaluation, 100, 1, 1);
    assertThat(evaluation.windowed().byName()).containsEntry("accuracy", 1.0);
    assertThat(evaluation.windowed().weight()).isEqualTo(100);
    assertThat(evaluation.cumulative().byName().get("accuracy")).isEqualTo(1.0 / 6, within(EXACT));
  }

  @Test
  void fading_followsItsDefinition() {
    StreamEvaluation evaluation = new StreamEvaluation(2, 10, 0.5);
    rows(evaluation, 1, 1, 1);
    rows(evaluation, 1, 1, 0);
    rows(evaluation, 1, 1, 1);
    assertThat(evaluation.fading().byName().get("accuracy"))
        .isEqualTo((0.25 + 1) / 1.75, within(EXACT));
  }

  @Test
  void values_agreeWithTheirDefinitions() {
    SplittableRandom random = new SplittableRandom(4);
    StreamEvaluation evaluation = new StreamEvaluation(0, 10_000, 0.999);
    int rows = 1_000;
    double[] labels = new double[rows];
    double[] predictions = new double[rows];
    for (int row = 0; row < rows; row++) {
      labels[row] = 1e6 + random.nextGaussian();
      predictions[row] = labels[row] + 0.3 * random.nextGaussian();
      evaluation.add(tested(labels[row], predictions[row], 2, 0, 0), "all");
    }
    double mean = java.util.Arrays.stream(labels).average().orElseThrow();
    double around = 0;
    double errors = 0;
    for (int row = 0; row < rows; row++) {
      around += (labels[row] - mean) * (labels[row] - mean);
      errors += (labels[row] - predictions[row]) * (labels[row] - predictions[row]);
    }
    var figures = evaluation.cumulative().byName();
    assertThat(figures.get("r2")).isEqualTo(1 - errors / around, within(1e-9));
    assertThat(figures.get("rmse")).isEqualTo(Math.sqrt(errors / rows), within(1e-9));
    assertThat(figures.get("loss")).isEqualTo(2, within(EXACT));
    assertThat(evaluation.windowed().byName().get("r2")).isEqualTo(figures.get("r2"));
  }

  @Test
  void fadedValues_weighRowsByAge() {
    StreamEvaluation evaluation = new StreamEvaluation(0, 10, 0.5);
    double[] labels = {3, 1, 4};
    for (double label : labels) {
      evaluation.add(tested(label, 2, 0, 0, 0), "all");
    }
    double[] weights = {0.25, 0.5, 1};
    double mean = (0.25 * 3 + 0.5 * 1 + 4) / 1.75;
    double around = 0;
    double errors = 0;
    for (int k = 0; k < 3; k++) {
      around += weights[k] * (labels[k] - mean) * (labels[k] - mean);
      errors += weights[k] * (labels[k] - 2) * (labels[k] - 2);
    }
    assertThat(evaluation.fading().byName().get("r2"))
        .isEqualTo(1 - errors / around, within(1e-12));
  }

  @Test
  void baselines_knowOnlyWhatHasArrived() {
    LabelsSoFar labels = new LabelsSoFar(true);
    assertThat(labels.last()).isEqualTo(0);
    labels.arrive(2);
    labels.arrive(1);
    assertThat(labels.commonest()).isEqualTo(1); // of two equally common, the lower
    labels.arrive(2);
    assertThat(labels.commonest()).isEqualTo(2);
    assertThat(labels.last()).isEqualTo(2);
    LabelsSoFar values = new LabelsSoFar(false);
    values.arrive(2);
    values.arrive(5);
    assertThat(values.mean()).isEqualTo(3.5);
  }

  @Test
  void rows_ofEveryObjective_haveTheFiguresOfTheEvaluation() {
    SplittableRandom random = new SplittableRandom(9);
    for (Objective objective :
        List.of(
            new Squared(),
            new Logistic(),
            new Poisson(),
            new Softmax(3),
            Objective.of("ordinal", Map.of("classes", 4.0)))) {
      StreamEvaluation stream = new StreamEvaluation(objective.classes(), 100, 0.99);
      Rows.Builder builder = Rows.builder(1);
      int size = 500;
      double[] scores = new double[size * objective.outputs()];
      for (int row = 0; row < size; row++) {
        double label = random.nextInt(objective.classes() == 0 ? 5 : objective.classes());
        double[] raw = random.doubles(objective.outputs(), -2, 2).toArray();
        for (int k = 0; k < raw.length; k++) {
          scores[k * size + row] = raw[k];
        }
        double weight = 1 + random.nextInt(2);
        String environment = "e" + row % 3;
        builder.add(new double[1], label, weight, environment);
        stream.add(Tested.of(objective, label, weight, raw, 0, 0), environment);
      }
      Rows rows = builder.build();
      agree(stream.cumulative(), Evaluation.of(objective, rows, scores));
      for (Evaluation one : Evaluation.byEnvironment(objective, rows, scores)) {
        agree(requireNonNull(stream.byEnvironment().get(one.environment())), one);
      }
    }
  }

  private static void agree(StreamFigures stream, Evaluation evaluation) {
    assertThat(stream.rows()).isEqualTo(evaluation.rows());
    assertThat(stream.byName().get("loss")).isEqualTo(evaluation.loss(), within(1e-12));
    evaluation
        .metrics()
        .forEach(
            (name, value) ->
                assertThat(stream.byName().get(name)).as(name).isEqualTo(value, within(2e-3)));
  }

  @Test
  void spread_takesTheWorstOfEachFigure_whicheverWayIsWorse() {
    List<StreamFigures> environments = new ArrayList<>();
    for (int k = 1; k <= 10; k++) {
      environments.add(
          new StreamFigures(
              5,
              5,
              new TreeMap<>(
                  Map.of("loss", 0.1 * k, "accuracy", 0.1 * k, "noChangeAccuracy", 1.0))));
    }
    EnvironmentSpread spread = EnvironmentSpread.of(environments, 0.9);
    assertThat(spread.worst()).containsOnlyKeys("accuracy", "loss");
    assertThat(spread.worst()).containsEntry("loss", 1.0).containsEntry("accuracy", 0.1);
    assertThat(spread.quantile()).containsEntry("loss", 0.9).containsEntry("accuracy", 0.2);
  }

  @Test
  void impossibleSettings_areRefused() {
    assertThatThrownBy(() -> new StreamEvaluation(1, 10, 0.9)).hasMessageContaining("classes");
    assertThatThrownBy(() -> new StreamEvaluation(2, 0, 0.9)).hasMessageContaining("window");
    assertThatThrownBy(() -> new StreamEvaluation(2, 10, 1)).hasMessageContaining("fading");
  }

  private static void rows(StreamEvaluation evaluation, int count, int label, int predicted) {
    for (int row = 0; row < count; row++) {
      evaluation.add(tested(label, predicted, 0, label, label), "all");
    }
  }

  /** A row of weight 1 of which no more is known than its loss. */
  private static Tested tested(
      double label, double predicted, double loss, double noChange, double constant) {
    return new Tested(
        label, 1, predicted, new double[0], loss, Double.NaN, Double.NaN, noChange, constant);
  }
}
