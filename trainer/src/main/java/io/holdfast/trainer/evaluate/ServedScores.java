package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Served;
import java.util.ArrayList;
import java.util.List;

/**
 * What was served for the rows of a window. Immutable.
 *
 * @param objectives of the version that served each row
 * @param scores the raw scores, output by output: of output k and row i of n at {@code k * n + i}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record ServedScores(List<Objective> objectives, double[] scores) {

  /** As the rows tell; a version that is not known any more has the tip's objective. */
  public static ServedScores of(
      List<LabelledRow> rows, VersionObjectives objectives, LedgerVersion tip) {
    Objective present = tip.model().objective();
    int size = rows.size();
    double[] scores = new double[Math.multiplyExact(present.outputs(), size)];
    List<Objective> ofRows = new ArrayList<>(size);
    for (int row = 0; row < size; row++) {
      Served answer = rows.get(row).served();
      for (int k = 0; k < present.outputs(); k++) {
        scores[k * size + row] = answer.rawScores()[k];
      }
      ofRows.add(objectives.of(answer.version(), present));
    }
    return new ServedScores(List.copyOf(ofRows), scores);
  }
}
