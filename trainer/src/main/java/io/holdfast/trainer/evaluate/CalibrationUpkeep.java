package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.objective.ClassCalibration;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Learns what corrects the probabilities of the next version, as a function of the tip, the
 * settings and the rows: from raw scores that were served before their labels were learned. Rows
 * that the gate judges by are left out. Stateless.
 */
public final class CalibrationUpkeep {
  private static final int EVERY = 100; // labels, from one to the next; and before the first
  private static final int ROWS = 4_000; // that it is learned from, at most

  private CalibrationUpkeep() {}

  /** That of the version of this window; null if it is not asked for, or labels are too few. */
  public static @Nullable LearnedCalibration next(
      ModelSettings settings, LedgerVersion tip, WindowRows window) {
    if (!settings.calibrated()) {
      return null;
    }
    LearnedCalibration before = tip.calibration();
    LearnedCalibration kept = before == null ? null : before.after(window.arrived().size());
    if (kept != null && kept.since() < EVERY) {
      return kept;
    }
    Set<LabelledRow> heldOut = Collections.newSetFromMap(new IdentityHashMap<>());
    heldOut.addAll(window.heldOut());
    List<LabelledRow> rows =
        window.served(ROWS).stream().filter(row -> !heldOut.contains(row)).toList();
    return rows.size() < EVERY
        ? kept
        : new LearnedCalibration(fit(tip.model().objective(), rows), rows.size(), 0);
  }

  private static ClassCalibration fit(Objective objective, List<LabelledRow> rows) {
    List<double[]> probabilities = new ArrayList<>();
    int[] labels = new int[rows.size()];
    double[] weights = new double[rows.size()];
    for (LabelledRow row : rows) {
      int place = probabilities.size();
      double[] said = new double[objective.classes()];
      objective.probabilities(row.served().rawScores(), said);
      probabilities.add(said);
      labels[place] = (int) row.label();
      weights[place] = row.weight();
    }
    return ClassCalibration.fit(probabilities, labels, weights);
  }
}
