package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Corrected probabilities are what is read, predicted, lost and measured. */
class CalibratedTest {
  private static final ClassCalibration TWO =
      new ClassCalibration(List.of(0.5, 0.8), List.of(0.3, -0.2));

  @Test
  void twoClasses_areCorrectedByTheFormula() {
    var objective = new Calibrated(new Logistic(), TWO);
    for (double raw : new double[] {-30, -2, -0.1, 0, 0.7, 4, 30}) {
      double one = 1 / (1 + Math.exp(-raw));
      double zero = 1 / (1 + Math.exp(raw));
      double odds =
          Math.exp(-0.2 - 0.3) * Math.pow(one, 0.8) / Math.pow(zero, 0.5); // beta calibration
      double expected = odds / (1 + odds);
      double[] read = new double[2];
      objective.probabilities(new double[] {raw}, read);
      assertThat(objective.prediction(raw)).isCloseTo(expected, within(1e-12));
      assertThat(read[1]).isEqualTo(objective.prediction(raw));
      assertThat(read[0] + read[1]).isCloseTo(1, within(1e-15));
      assertThat(objective.loss(1, raw)).isCloseTo(-Math.log(expected), within(1e-9));
      assertThat(objective.loss(0, raw)).isCloseTo(-Math.log(read[0]), within(1e-9));
    }
    assertThat(objective.binary()).isTrue();
    assertThat(objective.uncalibrated()).isEqualTo(new Logistic());
  }

  @Test
  void likeliestOfMoreClasses_isThatOfCorrectedProbabilities() {
    var objective =
        new Calibrated(
            new Softmax(3), new ClassCalibration(List.of(1.0, 1.0, 1.0), List.of(0.0, 0.0, 2.0)));
    double[] raw = {1, 0, 0.5};
    assertThat(new Softmax(3).prediction(raw)).isEqualTo(0);
    assertThat(objective.prediction(raw)).isEqualTo(2);
    double[] read = new double[3];
    objective.probabilities(raw, read);
    double sum = Math.exp(1) + Math.exp(0) + Math.exp(2.5);
    assertThat(read)
        .containsExactly(
            new double[] {Math.exp(1) / sum, 1 / sum, Math.exp(2.5) / sum}, within(1e-12));
  }

  /** Rows that were served with and without a correction are measured as each was served. */
  @Test
  void metrics_areOfWhatWasRead() {
    var corrected =
        new Calibrated(new Logistic(), new ClassCalibration(List.of(1.0, 1.0), List.of(1.0, 0.0)));
    Rows.Builder rows = Rows.builder(1);
    double[] labels = {1, 0, 1, 0};
    for (double label : labels) {
      rows.add(new double[] {0}, label, 1, "e");
    }
    double[] scores = {0.5, 0.5, 2, -1}; // of the second, 0.5 becomes the class 0
    List<Objective> objectives = List.of(new Logistic(), corrected, corrected, new Logistic());
    Map<String, Double> metrics =
        Evaluation.of(objectives, rows.build(), scores, List.of()).metrics();
    double[] loss = new double[4];
    for (int row = 0; row < 4; row++) {
      loss[row] = objectives.get(row).loss(labels[row], scores[row]);
    }
    assertThat(metrics.get("accuracy")).isEqualTo(1);
    assertThat(metrics.get("logLoss"))
        .isCloseTo(IntStream.range(0, 4).mapToDouble(k -> loss[k]).sum() / 4, within(1e-12));
    assertThat(metrics.get("auc")).isEqualTo(1); // raw scores alone have a tie
  }

  @Test
  void whatHasNoClasses_orOthers_isRefused() {
    assertThatThrownBy(() -> new Calibrated(new Squared(), TWO))
        .hasMessageContaining("as many slopes as the objective has classes");
    assertThatThrownBy(() -> new Calibrated(new Softmax(3), TWO))
        .hasMessageContaining("as many slopes as the objective has classes, 3: 2");
  }
}
