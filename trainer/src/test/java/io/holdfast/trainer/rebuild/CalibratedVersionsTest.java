package io.holdfast.trainer.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.Reliability;
import io.holdfast.schemas.avro.CalibrationBin;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.learn.OfflineTrainer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of models that are too sure of themselves correct their probabilities. */
class CalibratedVersionsTest {
  private static final int ROWS = 4_800;
  private static final int SETTLED = 2_000;

  /** What came of a stream's served probabilities. */
  private record Served(
      double error, double logLoss, double reported, LedgerVersion last, int corrected) {}

  private static ModelSettings settings(String objective, String calibration) {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "objective", objective,
                "label", "y",
                "window.rows", "400",
                "window.memoryRows", "2000",
                "update.policy", "replace",
                "trees.rounds", "12",
                "trees.maxLeaves", "63",
                "trees.minRows", "2"));
    values.put("trees.learningRate", "0.7"); // noise is learned by heart
    values.put("uncertainty.calibration", calibration);
    if (objective.equals("softmax") || objective.equals("ordinal")) {
      values.put("classes", "3");
    }
    return ModelSettings.of("m", values, key -> key);
  }

  private static Served run(String objective, String calibration) {
    ModelSettings settings = settings(objective, calibration);
    List<Feature> features =
        List.of(new Feature.Numeric("a"), new Feature.Numeric("b"), new Feature.Numeric("c"));
    var trainer = new OfflineTrainer(settings, features, 0);
    List<WindowReport> reports = new ArrayList<>();
    trainer.onWindow(concluded -> reports.add(concluded.report()));
    var random = new SplittableRandom(5);
    var reliability = new Reliability();
    double loss = 0;
    int corrected = 0;
    int classes = settings.booster().objective().classes();
    double[] said = new double[classes];
    for (int row = 0; row < ROWS; row++) {
      double[] values = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
      double label = Math.min(classes - 1, Math.floor(classes * values[0]));
      label = random.nextDouble() < 0.35 ? random.nextInt(classes) : label;
      Objective by = trainer.core().serving().objective();
      double[] raw = trainer.next(values, label, "");
      by.probabilities(raw, said);
      if (row >= SETTLED) {
        loss -= Math.log(Math.max(1e-15, said[(int) label])) / (ROWS - SETTLED);
        for (int k = 0; k < classes; k++) {
          reliability.add(said[k], label == k, 1);
        }
        corrected += by.equals(by.uncalibrated()) ? 0 : 1;
      }
    }
    double reported = off(reports.subList(reports.size() - 10, reports.size()));
    return new Served(reliability.error(), loss, reported, trainer.core().serving(), corrected);
  }

  /** How far bins of windows' reports are off the diagonal, in the mean of rows. */
  private static double off(List<WindowReport> reports) {
    double rows = 0;
    double off = 0;
    for (WindowReport report : reports) {
      for (CalibrationBin bin : report.getCalibration()) {
        rows += bin.getRows();
        off += bin.getRows() * Math.abs(bin.getPredicted() - bin.getObserved());
      }
    }
    return off / rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "probit", "softmax", "ordinal"})
  void tooSureProbabilities_comeTrue_onceCorrected(String objective) {
    Served without = run(objective, "none");
    Served with = run(objective, "beta");

    assertThat(without.corrected).isZero();
    assertThat(with.corrected).isEqualTo(ROWS - SETTLED);
    assertThat(without.error).isGreaterThan(0.09);
    assertThat(with.error).isLessThan(0.65 * without.error);
    assertThat(with.logLoss).isLessThan(0.8 * without.logLoss);
    assertThat(with.reported).isLessThan(0.75 * without.reported);
    assertThat(with.last.manifest().getFormat()).isEqualTo(10);
    assertThat(without.last.manifest().getFormat()).isEqualTo(8);
    assertThat(without.last.manifest().getSettings()).doesNotContain("calibration");
    assertThat(with.last.model()).isEqualTo(without.last.model()); // no tree depends on it
  }
}
