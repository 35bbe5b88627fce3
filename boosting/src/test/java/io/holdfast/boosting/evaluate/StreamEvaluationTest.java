package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
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
    LabelsSoFar labels = LabelsSoFar.ofClasses();
    for (int row = 0; row < 1_000; row++) {
      int label = row / 10 % 2;
      int predicted = row % 5 == 0 ? 1 - label : label;
      evaluation.add(new Tested(label, predicted, 0, labels.last(), labels.commonest()));
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
      evaluation.add(new Tested(labels[row], predictions[row], 2, 0, 0));
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
      evaluation.add(new Tested(label, 2, 0, 0, 0));
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
    LabelsSoFar labels = LabelsSoFar.ofClasses();
    assertThat(labels.last()).isEqualTo(0);
    labels.arrive(2);
    labels.arrive(1);
    assertThat(labels.commonest()).isEqualTo(1); // of two equally common, the lower
    labels.arrive(2);
    assertThat(labels.commonest()).isEqualTo(2);
    assertThat(labels.last()).isEqualTo(2);
    LabelsSoFar values = LabelsSoFar.ofValues();
    values.arrive(2);
    values.arrive(5);
    assertThat(values.mean()).isEqualTo(3.5);
  }

  @Test
  void impossibleSettings_areRefused() {
    assertThatThrownBy(() -> new StreamEvaluation(1, 10, 0.9)).hasMessageContaining("classes");
    assertThatThrownBy(() -> new StreamEvaluation(2, 0, 0.9)).hasMessageContaining("window");
    assertThatThrownBy(() -> new StreamEvaluation(2, 10, 1)).hasMessageContaining("fading");
  }

  private static void rows(StreamEvaluation evaluation, int count, int label, int predicted) {
    for (int row = 0; row < count; row++) {
      evaluation.add(new Tested(label, predicted, 0, label, label));
    }
  }
}
