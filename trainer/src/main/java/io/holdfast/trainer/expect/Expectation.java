package io.holdfast.trainer.expect;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.trainer.evaluate.VersionObjectives.ServedScores;
import io.holdfast.trainer.reason.DensityRatio;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The metrics of a window to expect from its served scores alone. Stateless. */
public final class Expectation {
  /*
   * How far scores were off on the newest remembered rows is looked at anew for each window; what came
   * of earlier expectations is committed with offsets. So a restart changes nothing, and no version
   * depends on it.
   *
   * Past rows count equally, or by how frequent rows like them are now (as in Bialek et al.,
   * "Estimating model performance under covariate shift without labels", arXiv 2401.08348): as was
   * the better in the last windows. Rows are decoded after training, so that no category gets
   * another code by it.
   */
  /** How many of the newest rows tell how far scores are off. */
  private static final int ROWS = 1_000;

  private static final int FEWEST = 100; // of a window, to tell how its rows are distributed

  private Expectation() {}

  /**
   * By the labels of the windows before; null if nothing can be said.
   *
   * @param served what was served for rows
   */
  public static @Nullable Outlook of(
      WindowRows rows, Function<List<LabelledRow>, ServedScores> served, long seed) {
    List<LabelledRow> window = rows.arrived();
    List<Objective> objectives = served.apply(window).objectives();
    Expected expected = new Expected(window.size());
    for (int row = 0; row < window.size(); row++) {
      LabelledRow labelled = window.get(row);
      expected.add(objectives.get(row), labelled.served().rawScores(), labelled.weight());
    }
    List<LabelledRow> past = rows.before(ROWS);
    List<Objective> pastObjectives = served.apply(past).objectives();
    double[] ratios = new double[past.size()];
    Arrays.fill(ratios, 1);
    Estimate equal = Estimate.of(expected, calibration(past, pastObjectives, ratios), ratios);
    if (equal.figures().isEmpty()) {
      return null;
    }
    Estimate alike = equal;
    if (Math.min(past.size(), window.size()) >= FEWEST && !equal.ranges().isEmpty()) {
      double[] odds = ratios(past, rows, seed);
      alike = Estimate.of(expected, calibration(past, pastObjectives, odds), odds);
    }
    return new Outlook(equal, alike, expected.uncorrected(), past.size());
  }

  /** What past rows tell, each by its weight times its ratio. */
  private static Calibration calibration(
      List<LabelledRow> past, List<Objective> objectives, double[] ratios) {
    Calibration calibration = new Calibration(Math.max(1, past.size()));
    for (int at = 0; at < ratios.length; at++) {
      LabelledRow row = past.get(at);
      calibration.add(
          objectives.get(at), row.label(), row.served().rawScores(), row.weight() * ratios[at]);
    }
    return calibration;
  }

  private static double[] ratios(List<LabelledRow> before, WindowRows rows, long seed) {
    List<LabelledRow> now = WindowRows.spaced(rows.arrived(), ROWS);
    Rows older = rows.decoded(before);
    Rows newer = rows.decoded(now);
    List<String> environments =
        Stream.concat(before.stream(), now.stream()).map(LabelledRow::environment).toList();
    return DensityRatio.of(rows.features(), older, newer, environments, seed);
  }
}
