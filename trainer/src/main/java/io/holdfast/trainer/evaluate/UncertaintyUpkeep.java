package io.holdfast.trainer.evaluate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.CoverageLearner;
import io.holdfast.boosting.uncertainty.CoverageLearner.Promise;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LearnedCalibration;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Promised;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Learns how sure the next version's scores are, as a function of the tip, the settings and the
 * rows: what scores were served with, and whether labels bore it out, stands in the rows.
 */
public final class UncertaintyUpkeep {
  /*
   * Thresholds are learned anew from all rows at hand, the window's and remembered ones, so that
   * nothing has to be carried from version to version. Small windows wait for each other: what the
   * tip has is kept until enough labels have come.
   */
  private static final int EVERY = 100; // labels, from one set of thresholds to the next
  private static final int REFIT = 1_000; // labels, from one model of spreads to the next
  private static final int FIRST = 500; // rows before there is one
  private static final int SPREAD_ROWS = 4_000; // that it is learned from, at most
  private static final int ROWS = 12_800; // that thresholds are learned from, at most
  private static final int ENVIRONMENTS = 100; // that have thresholds of their own, at most

  private final Objective objective; // the tip's: what it learned is known to a rebuild, too
  private final List<Double> levels;
  private final WindowRows window;
  private final List<LabelledRow> rows;
  private final double age;

  private UncertaintyUpkeep(
      Objective objective, List<Double> levels, WindowRows window, double age) {
    this.objective = objective;
    this.levels = levels;
    this.window = window;
    this.rows = window.served(ROWS);
    this.age = age;
  }

  /**
   * That of the version of this window; null if it is not asked for, or labels are too few.
   *
   * @param calibration what corrects that version's probabilities; null if nothing does
   * @param lag how many versions ago the median row of the window was served
   */
  public static @Nullable Uncertainty next(
      ModelSettings settings,
      LedgerVersion tip,
      @Nullable LearnedCalibration calibration,
      WindowRows window,
      long lag) {
    if (settings.coverage().isEmpty()) {
      return null;
    }
    Uncertainty before = tip.uncertainty();
    if (before != null && !before.thresholds().levels().equals(settings.coverage())) {
      before = null;
    }
    int labels = window.arrived().size();
    Uncertainty kept = before == null ? null : before.after(labels);
    if (kept != null && kept.since() < EVERY) {
      return kept;
    }
    double age = (double) lag * labels + (kept == null ? labels : kept.since());
    Objective trained = tip.model().objective();
    Objective objective =
        calibration == null ? trained : new Calibrated(trained, calibration.calibration());
    var upkeep = new UncertaintyUpkeep(objective, settings.coverage(), window, age);
    return objective.classes() > 0
        ? upkeep.ofClasses()
        : upkeep.ofNumbers(kept, settings.booster().seed());
  }

  private @Nullable Uncertainty ofClasses() {
    if (rows.size() < EVERY) {
      return null;
    }
    double[] spreads = new double[rows.size()];
    Arrays.fill(spreads, 1);
    return new Uncertainty(thresholds(spreads), 0, null, 0);
  }

  private @Nullable Uncertainty ofNumbers(@Nullable Uncertainty kept, long seed) {
    if (rows.size() < FIRST) {
      return kept;
    }
    Model model = kept == null ? null : kept.spreads();
    long since = kept == null ? 0 : kept.spreadsAge();
    if (model == null || since >= REFIT) {
      model = fit(seed);
      since = 0;
    }
    return new Uncertainty(thresholds(spreads(model)), 0, model, since);
  }

  private Model fit(long seed) {
    List<LabelledRow> newest = rows.subList(Math.max(0, rows.size() - SPREAD_ROWS), rows.size());
    Rows decoded = window.decoded(newest);
    double[] predictions = new double[newest.size()];
    for (int row = 0; row < predictions.length; row++) {
      predictions[row] = objective.prediction(newest.get(row).served().rawScores());
    }
    return SpreadModel.fit(window.features(), decoded, predictions, seed);
  }

  /** As rows were served, or by the model where they were served without one. */
  private double[] spreads(Model model) {
    List<LabelledRow> without =
        rows.stream().filter(row -> row.served().promised() == null).toList();
    Rows decoded = window.decoded(without);
    List<Feature> features = window.features();
    var scorer = Scorer.of(model);
    double[] values = new double[features.size() + 1];
    double[] spreads = new double[rows.size()];
    int next = 0;
    for (int row = 0; row < spreads.length; row++) {
      Promised promised = rows.get(row).served().promised();
      if (promised != null) {
        spreads[row] = promised.spread();
      } else {
        decoded.copyFeatures(next++, values);
        values[features.size()] = objective.prediction(rows.get(row).served().rawScores());
        spreads[row] = SpreadModel.spread(scorer.score(values));
      }
    }
    return spreads;
  }

  private Thresholds thresholds(double[] spreads) {
    var learner = new CoverageLearner(levels, objective.classes() > 0);
    Set<String> own = environments();
    double[] probabilities = new double[objective.classes()];
    for (int k = 0; k < spreads.length; k++) {
      LabelledRow row = rows.get(k);
      learner.add(
          own.contains(row.environment()) ? row.environment() : null,
          error(row, probabilities),
          spreads[k],
          promise(row.served().promised()));
    }
    return learner.thresholds();
  }

  private double error(LabelledRow row, double[] probabilities) {
    if (probabilities.length == 0) {
      return row.label() - objective.prediction(row.served().rawScores());
    }
    objective.probabilities(row.served().rawScores(), probabilities);
    return Thresholds.classError(probabilities[(int) row.label()]);
  }

  private @Nullable Promise promise(@Nullable Promised said) {
    if (said == null || !said.levels().equals(levels)) {
      return null;
    }
    boolean[] kept = new boolean[levels.size()];
    for (int level = 0; level < kept.length; level++) {
      kept[level] = said.kept().get(level);
    }
    return new Promise(kept, said.own(), age);
  }

  /** Those of most rows. */
  private Set<String> environments() {
    Map<String, Integer> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(row.environment(), 1, Integer::sum));
    if (counts.size() <= ENVIRONMENTS) {
      return counts.keySet();
    }
    List<String> names = new ArrayList<>(counts.keySet());
    names.sort(Comparator.comparingInt((String name) -> -counts.getOrDefault(name, 0)));
    return new HashSet<>(names.subList(0, ENVIRONMENTS));
  }
}
