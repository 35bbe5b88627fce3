package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the scores that were served make one expect of a window before its labels are looked at.
 * Owned by the training thread.
 */
public final class Expectation {
  /*
   * The one thing of a report that rests on more than the window, the replay buffer and the tip: how
   * far scores were off is kept for the newest rows as they come. After a restart those are the
   * newest that are remembered. No version depends on it.
   */
  private static final int ROWS = 1_000;

  private final Calibration past = new Calibration(ROWS);

  /** Of a window's rows, by the labels of the windows before; null if nothing can be said. */
  public @Nullable ExpectedReport of(List<LabelledRow> window, ServedScores served) {
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

  /** Takes in what came true, oldest first. */
  public void learn(List<LabelledRow> rows, VersionObjectives objectives, Objective otherwise) {
    for (LabelledRow row : rows.subList(Math.max(0, rows.size() - ROWS), rows.size())) {
      past.add(
          objectives.of(row.served().version(), otherwise),
          row.label(),
          row.served().rawScores(),
          row.weight());
    }
  }

  /** How many of the newest remembered rows are worth taking in. */
  public static int rows() {
    return ROWS;
  }
}
