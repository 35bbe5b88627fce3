package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The metrics of a window to expect from its served scores alone. Owned by the training thread. */
public final class Expectation {
  /*
   * The one part of a report that rests on more than the window, the replay buffer and the tip: how
   * far scores were off on the newest rows as they came, or after a restart on the newest remembered
   * ones. No version depends on it.
   */
  /** How many of the newest rows count. */
  public static final int ROWS = 1_000;

  private final Calibration past = new Calibration(ROWS);

  /** By the labels of the windows before; null if nothing can be said. */
  public @Nullable ExpectedReport of(
      List<LabelledRow> window, VersionObjectives.ServedScores served) {
    Expected expected = new Expected(window.size());
    for (int row = 0; row < window.size(); row++) {
      LabelledRow labelled = window.get(row);
      expected.add(served.objectives().get(row), labelled.served().rawScores(), labelled.weight());
    }
    SortedMap<String, Double> figures = expected.figures(past);
    return figures.isEmpty()
        ? null
        : new ExpectedReport(figures, expected.uncorrected(), (long) past.rows());
  }

  /** Takes labels in, oldest first. */
  public void learn(List<LabelledRow> rows, VersionObjectives objectives, Objective otherwise) {
    for (LabelledRow row : rows.subList(Math.max(0, rows.size() - ROWS), rows.size())) {
      past.add(
          objectives.of(row.served().version(), otherwise),
          row.label(),
          row.served().rawScores(),
          row.weight());
    }
  }
}
