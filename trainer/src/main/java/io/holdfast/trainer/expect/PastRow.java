package io.holdfast.trainer.expect;

import io.holdfast.boosting.evaluate.Calibration;
import io.holdfast.boosting.evaluate.Expected;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.trainer.window.LabelledRow;
import java.util.List;

/** A row whose label has come, and the objective of the version that served it. */
record PastRow(LabelledRow row, Objective objective) {
  /** What rows tell, each by its weight times its ratio. */
  static Calibration calibration(List<PastRow> rows, double[] ratios) {
    Calibration calibration = new Calibration(Math.max(1, rows.size()));
    int at = 0;
    for (PastRow one : rows) {
      LabelledRow row = one.row;
      calibration.add(
          one.objective, row.label(), row.served().rawScores(), row.weight() * ratios[at++]);
    }
    return calibration;
  }

  static Expected expected(List<PastRow> rows) {
    Expected expected = new Expected(rows.size());
    rows.forEach(
        one -> expected.add(one.objective, one.row.served().rawScores(), one.row.weight()));
    return expected;
  }
}
