package io.holdfast.cli.coverage;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.ClassCalibration;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.uncertainty.CoverageLearner;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LearnedCalibration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How sure the scores of a model are that is fitted to a file. Stateless. */
public final class OfflineUncertainty {
  private static final int FOLDS = 5;
  private static final int FEWEST = 20 * FOLDS; // rows

  private OfflineUncertainty() {}

  /**
   * What is learned of scores.
   *
   * @param uncertainty null if it is not asked for, or rows are too few
   * @param calibration likewise
   */
  public record Learned(
      @Nullable Uncertainty uncertainty, @Nullable LearnedCalibration calibration) {}

  /** Scores of rows by models that were fitted without them: of a number, or of each class. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scored(double[] predictions, List<double[]> probabilities) {}

  /** From scores of rows by models that were fitted without them, a fifth at a time. */
  public static Learned of(
      ModelSettings asked, BoosterSettings settings, List<Feature> features, Rows rows) {
    int size = rows.size();
    boolean calibrated = asked.calibrated();
    if (size < FEWEST || (asked.coverage().isEmpty() && !calibrated)) {
      return new Learned(null, null);
    }
    int[] order = shuffled(size, settings.seed());
    var scored = new Scored(new double[size], new ArrayList<>());
    for (int row = 0; row < size; row++) {
      scored.probabilities.add(new double[settings.objective().classes()]);
    }
    for (int fold = 0; fold < FOLDS; fold++) {
      score(settings, features, rows, order, fold, scored);
    }
    ClassCalibration calibration = calibrated ? calibration(scored.probabilities, rows) : null;
    return new Learned(
        asked.coverage().isEmpty()
            ? null
            : uncertainty(asked.coverage(), settings, features, rows, order, scored, calibration),
        calibration == null ? null : new LearnedCalibration(calibration, size, 0));
  }

  private static ClassCalibration calibration(List<double[]> probabilities, Rows rows) {
    int[] labels = new int[rows.size()];
    double[] weights = new double[rows.size()];
    for (int row = 0; row < labels.length; row++) {
      labels[row] = (int) rows.label(row);
      weights[row] = rows.weight(row);
    }
    return ClassCalibration.fit(probabilities, labels, weights);
  }

  private static Uncertainty uncertainty(
      List<Double> levels,
      BoosterSettings settings,
      List<Feature> features,
      Rows rows,
      int[] order,
      Scored scored,
      @Nullable ClassCalibration calibration) {
    boolean classes = settings.objective().classes() > 0;
    double[] predictions = scored.predictions;
    double[] errors = new double[rows.size()];
    for (int row = 0; row < errors.length; row++) {
      double[] said = scored.probabilities.get(row);
      double[] read = calibration == null ? said : calibration.corrected(said);
      errors[row] =
          classes
              ? Thresholds.classError(read[(int) rows.label(row)])
              : rows.label(row) - predictions[row];
    }
    Model spreads = classes ? null : SpreadModel.fit(features, rows, predictions, settings.seed());
    double[] spread = classes ? null : spreads(settings, features, rows, order, predictions);
    var learner = CoverageLearner.ofUnordered(levels, classes);
    for (int row : order) { // none is newer than another
      learner.add(
          rows.environments().get(rows.environment(row)),
          errors[row],
          spread == null ? 1 : spread[row],
          (CoverageLearner.Promise) null);
    }
    return new Uncertainty(learner.thresholds(), 0, spreads, 0);
  }

  private static void score(
      BoosterSettings settings,
      List<Feature> features,
      Rows rows,
      int[] order,
      int fold,
      Scored scored) {
    int[] without = places(order, fold, false);
    int[] held = places(order, fold, true);
    Model model = new Booster(settings).fit(features, rows.subset(without)).model();
    Objective objective = model.objective();
    Scorer scorer = Scorer.of(model);
    double[] values = new double[features.size()];
    double[] raw = new double[scorer.outputs()];
    for (int row : held) {
      rows.copyFeatures(row, values);
      scorer.score(values, raw);
      scored.predictions[row] = objective.prediction(raw);
      objective.probabilities(raw, scored.probabilities.get(row));
    }
  }

  /** Ascending. */
  private static int[] places(int[] order, int fold, boolean within) {
    return IntStream.range(0, order.length)
        .filter(k -> (k % FOLDS == fold) == within)
        .map(k -> order[k])
        .sorted()
        .toArray();
  }

  /** Of rows by models that were fitted without them: those of others are too small for theirs. */
  private static double[] spreads(
      BoosterSettings settings,
      List<Feature> features,
      Rows rows,
      int[] order,
      double[] predictions) {
    double[] spreads = new double[rows.size()];
    for (int fold = 0; fold < FOLDS; fold++) {
      int[] without = places(order, fold, false);
      double[] theirs = IntStream.of(without).mapToDouble(row -> predictions[row]).toArray();
      Model model = SpreadModel.fit(features, rows.subset(without), theirs, settings.seed());
      Scorer scorer = Scorer.of(model);
      double[] values = new double[model.features().size()];
      for (int row : places(order, fold, true)) {
        rows.copyFeatures(row, values);
        values[values.length - 1] = predictions[row];
        spreads[row] = SpreadModel.spread(scorer.score(values));
      }
    }
    return spreads;
  }

  private static int[] shuffled(int size, long seed) {
    var random = new SplittableRandom(seed);
    int[] order = IntStream.range(0, size).toArray();
    for (int k = size - 1; k > 0; k--) {
      int other = random.nextInt(k + 1);
      int place = order[k];
      order[k] = order[other];
      order[other] = place;
    }
    return order;
  }
}
