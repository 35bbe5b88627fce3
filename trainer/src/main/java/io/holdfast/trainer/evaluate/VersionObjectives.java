package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerRung;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The objective of each version, with what it learned: what was served is evaluated by the
 * thresholds, or the precision, of the version that served it. Owned by the training thread.
 */
public final class VersionObjectives {
  /** As many as readers of the model topic hold: a restart knows what an undisturbed run knows. */
  private final TreeMap<Long, Objective> byVersion = new TreeMap<>();

  /**
   * What was served for the rows of a window. Immutable.
   *
   * @param objectives of the version that served each row
   * @param scores the raw scores, output by output: of output k and row i of n at {@code k * n + i}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  public record ServedScores(List<Objective> objectives, double[] scores) {}

  /** Takes the versions of the model topic; one that this program cannot make sense of is none. */
  public void add(List<ModelManifest> versions) {
    for (ModelManifest version : versions) {
      try {
        Objective trained =
            Objective.of(version.getObjective(), LedgerRung.servedParameters(version));
        add(version.getVersion(), LearnedCalibration.objective(version, trained));
      } catch (IllegalArgumentException e) {
        byVersion.remove(version.getVersion()); // it never served
      }
    }
  }

  public void add(long version, Objective objective) {
    byVersion.put(version, objective);
    while (byVersion.size() > Ledger.RETAIN_VERSIONS) {
      byVersion.pollFirstEntry();
    }
  }

  /** The version's objective, or {@code otherwise} if it is no longer known. */
  public Objective of(long version, Objective otherwise) {
    Objective objective = byVersion.get(version);
    return objective != null && objective.unfitted().equals(otherwise.unfitted())
        ? objective
        : otherwise;
  }

  /** What was served for rows; versions no longer known have the tip's objective. */
  public ServedScores served(List<LabelledRow> rows, LedgerVersion tip) {
    Objective present = tip.objective();
    int size = rows.size();
    double[] scores = new double[Math.multiplyExact(present.outputs(), size)];
    List<Objective> objectives = new ArrayList<>(size);
    for (int row = 0; row < size; row++) {
      Served answer = rows.get(row).served();
      for (int k = 0; k < present.outputs(); k++) {
        scores[k * size + row] = answer.rawScores()[k];
      }
      objectives.add(of(answer.version(), present));
    }
    return new ServedScores(List.copyOf(objectives), scores);
  }
}
