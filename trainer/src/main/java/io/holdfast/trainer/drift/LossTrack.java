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
 * Looks for a rise of what the served scores cost, over the remembered rows and those of the window
 * in the order of the log: what was found in earlier windows is found again, so nothing has to be
 * kept but rows. Stateless.
 */
final class LossTrack {
  /*
   * Losses are put on [0, 1], as ADWIN's bound wants: of classes whether the prediction was wrong,
   * of values the absolute error over its 95% quantile, cut off there.
   */
  private static final double FULL = 0.95;
  private static final double TOLERANCE = 0.005;
  private static final double THRESHOLD = 50;
  private static final int LEAST = 30;

  private LossTrack() {}

  /**
   * What the losses say.
   *
   * @param falseAlarms how likely ADWIN takes a mean to have changed that has not
   */
  static DriftFindings.LossDrift of(
      Objective objective,
      List<LabelledRow> remembered,
      List<LabelledRow> arrived,
      double falseAlarms) {
    List<LabelledRow> rows = new ArrayList<>(remembered);
    rows.addAll(arrived);
    return of(objective, rows, row -> row >= remembered.size(), falseAlarms);
  }

  /** The same of several windows; the first rows are left out, so that the last is looked at. */
  static DriftFindings.LossDrift of(
      Objective objective,
      List<LabelledRow> remembered,
      List<LabelledRow> arrived,
      ComparedRows compared,
      double falseAlarms) {
    Predicate<Position> upToNow = compared.upToNow();
    List<LabelledRow> rows = new ArrayList<>(remembered);
    arrived.stream().filter(row -> upToNow.test(row.position())).forEach(rows::add);
    List<LabelledRow> checked =
        rows.subList(rows.size() % AdaptiveWindow.CHECKED_EVERY, rows.size());
    Set<LabelledRow> looked = Collections.newSetFromMap(new IdentityHashMap<>());
    looked.addAll(compared.rows());
    DriftFindings.LossDrift found =
        of(objective, checked, row -> looked.contains(checked.get(row)), falseAlarms);
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
      switch (window.add(costs[row])) {
        case RISE -> {
          risen = (int) (row + 1 - window.width());
          rise |= looked.test(row);
        }
        case FALL, NONE -> {}
      }
      pageHinkley |= test.add(costs[row]) && looked.test(row);
    }
    return new DriftFindings.LossDrift(rise, pageHinkley, risen < 0 ? null : costs.length - risen);
  }

  private static double[] costs(Objective objective, List<LabelledRow> rows) {
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
