package io.holdfast.bench.data;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.boosting.uncertainty.CoverageLearner;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Uncertainty;
import java.util.List;

/** Plain ensembles: rate 0.1, 31 leaves of 20 rows, 255 bins, no penalty, no anchor. */
public final class SampleModels {
  private SampleModels() {}

  public static BoosterSettings.Builder settings(Objective objective, int rounds) {
    return BoosterSettings.builder(objective)
        .gamma(1)
        .rounds(rounds)
        .learningRate(0.1)
        .trees(new TreeLimits(31, 64, 20, 1e-3, 0))
        .penalties(Penalties.ridge(0))
        .maxBins(255)
        .seed(1);
  }

  /** An ensemble of generated rows, squared error. */
  public static Model trained(int rounds, int rows, int width) {
    return trained(settings(Objective.named("squared"), rounds).build(), rows, width);
  }

  /** As above, by settings. */
  public static Model trained(BoosterSettings settings, int rows, int width) {
    List<Feature> features = GeneratedRows.features(width);
    return new Booster(settings)
        .extend(
            Booster.untrained(settings, features),
            features,
            GeneratedRows.of(rows, width, 4, false, 1),
            FitListener.NONE)
        .model();
  }

  /** How sure the scores of such a model are, learned from other rows of the kind. */
  public static Uncertainty uncertainty(Model model, int width, List<Double> levels) {
    Rows rows = GeneratedRows.of(4_000, width, 4, false, 2);
    Scorer scorer = Scorer.of(model);
    double[] values = new double[width];
    double[] predictions = new double[rows.size()];
    for (int row = 0; row < predictions.length; row++) {
      rows.copyFeatures(row, values);
      predictions[row] = scorer.score(values);
    }
    List<Feature> features = GeneratedRows.features(width);
    Model spreads = SpreadModel.fit(features, rows, predictions, 1);
    Scorer spread = Scorer.of(spreads);
    double[] more = new double[width + 1];
    var coverage = new CoverageLearner(levels, false);
    for (int row = 0; row < predictions.length; row++) {
      rows.copyFeatures(row, more);
      more[width] = predictions[row];
      coverage.add(
          rows.environments().get(rows.environment(row)),
          rows.label(row) - predictions[row],
          SpreadModel.spread(spread.score(more)),
          Thresholds.none(levels));
    }
    return new Uncertainty(coverage.thresholds(), 0, spreads, 0);
  }
}
