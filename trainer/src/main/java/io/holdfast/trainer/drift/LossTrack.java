package io.holdfast.trainer.drift;

import io.holdfast.boosting.objective.Objective;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Looks for a rise of the loss of served scores over the remembered rows and the window's, in log
 * order. What earlier windows found is found again, so no state is kept. Stateless.
 */
final class LossTrack {
  /*
   * ADWIN's bound wants losses in [0, 1]: of classes whether the prediction was wrong, of numbers the
   * absolute error over its 95% quantile, clipped at 1.
   */
  private static final double FULL = 0.95;
  private static final double TOLERANCE = 0.005;
  private static final double THRESHOLD = 50;
  private static final int LEAST = 30;

  private LossTrack() {}

  /**
   * Of one window; {@code falseAlarms} is the chance that ADWIN sees a change where there is none.
   */
  static DriftFindings.LossDrift of(DriftEvidence evidence, double falseAlarms) {
    List<LabelledRow> rows = new ArrayList<>(evidence.replayed());
    int remembered = rows.size();
    rows.addAll(evidence.arrived());
    return of(evidence.objective(), rows, row -> row >= remembered, falseAlarms);
  }

  /** Of several windows; leaves first rows out, so that ADWIN checks at the last row. */
  static DriftFindings.LossDrift of(
      DriftEvidence evidence, ComparedRows compared, double falseAlarms) {
    Predicate<Position> upToNow = compared.upToNow();
    List<LabelledRow> rows = new ArrayList<>(evidence.replayed());
    evidence.arrived().stream().filter(row -> upToNow.test(row.position())).forEach(rows::add);
    List<LabelledRow> checked =
        rows.subList(rows.size() % AdaptiveWindow.CHECKED_EVERY, rows.size());
    Set<LabelledRow> looked = Collections.newSetFromMap(new IdentityHashMap<>());
    looked.addAll(compared.rows());
    DriftFindings.LossDrift found =
        of(evidence.objective(), checked, row -> looked.contains(checked.get(row)), falseAlarms);
    Integer since = found.rowsSince();
    return new DriftFindings.LossDrift(
        found.rise(), found.pageHinkley(), since == null ? null : since + compared.newer().size());
  }

  private static DriftFindings.LossDrift of(
      Objective objective, List<LabelledRow> rows, IntPredicate looked, double falseAlarms) {
    double[] costs = costs(objective, rows);
    AdaptiveWindow window = new AdaptiveWindow(falseAlarms);
    PageHinkley test = new PageHinkley(TOLERANCE, THRESHOLD, LEAST);
    boolean rise = false;
    boolean pageHinkley = false;
    int risen = -1;
    for (int row = 0; row < costs.length; row++) {
      if (window.add(costs[row]) == AdaptiveWindow.Change.RISE) {
        risen = (int) (row + 1 - window.width());
        rise |= looked.test(row);
      }
      pageHinkley |= test.add(costs[row]) && looked.test(row);
    }
    return new DriftFindings.LossDrift(rise, pageHinkley, risen < 0 ? null : costs.length - risen);
  }

  static double[] costs(Objective objective, List<LabelledRow> rows) {
    double[] costs = new double[rows.size()];
    boolean classes = objective.classes() > 0;
    for (int k = 0; k < costs.length; k++) {
      LabelledRow row = rows.get(k);
      double prediction = objective.prediction(row.served().rawScores());
      if (!classes) {
        costs[k] = Math.abs(prediction - row.label());
      } else {
        double predicted = objective.binary() ? (prediction > 0.5 ? 1 : 0) : prediction;
        costs[k] = predicted == row.label() ? 0 : 1;
      }
    }
    if (!classes && costs.length > 0) {
      double[] sorted = costs.clone();
      Arrays.sort(sorted);
      double full = sorted[(int) (FULL * (sorted.length - 1))];
      for (int k = 0; k < costs.length; k++) {
        costs[k] = full > 0 && costs[k] < full ? costs[k] / full : costs[k] > 0 ? 1 : 0;
      }
    }
    return costs;
  }
}
