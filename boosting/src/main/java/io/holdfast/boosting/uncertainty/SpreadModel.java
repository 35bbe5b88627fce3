package io.holdfast.boosting.uncertainty;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.split.TreeLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * Learns how large the errors of predictions are, by the row: the raw score is the log of the mean
 * absolute error, given the row's features and, after them, its prediction. Stateless.
 */
public final class SpreadModel {
  private static final double LEAST = 1e-3; // of the mean error: no row is taken to be surer
  private static final int ROUNDS = 40;
  private static final int LEAVES = 8;
  private static final int ROWS = 40; // of a leaf at least

  private SpreadModel() {}

  /** The model's features: those of the rows and the prediction. */
  public static List<Feature> features(List<Feature> features) {
    List<Feature> all = new ArrayList<>(features);
    String name = "prediction";
    while (all.stream().map(Feature::name).toList().contains(name)) {
      name += "_";
    }
    all.add(new Feature.Numeric(name));
    return all;
  }

  /** Learns from rows that others were trained on, or none, and what was predicted for them. */
  public static Model fit(List<Feature> features, Rows rows, double[] predictions, long seed) {
    Check.that(
        predictions.length >= rows.size(),
        "there must be a prediction for each of %s rows: %s",
        rows.size(),
        predictions.length);
    double total = 0;
    for (int row = 0; row < rows.size(); row++) {
      total += Math.abs(rows.label(row) - predictions[row]);
    }
    double least = Math.max(Double.MIN_NORMAL, LEAST * total / rows.size());
    Rows.Builder errors = Rows.builder(features.size() + 1).expecting(rows.size());
    double[] values = new double[features.size() + 1];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      values[features.size()] = predictions[row];
      errors.add(
          values,
          least + Math.abs(rows.label(row) - predictions[row]),
          rows.weight(row),
          rows.environments().get(rows.environment(row)));
    }
    BoosterSettings settings =
        BoosterSettings.builder(Objective.named("gamma"))
            .rounds(ROUNDS)
            .trees(TreeLimits.DEFAULT.withMaxLeaves(LEAVES).withMinRows(ROWS))
            .seed(seed)
            .build();
    return new Booster(settings).fit(features(features), errors.build()).model();
  }

  /** The spread that a raw score of the model says. */
  public static double spread(double rawScore) {
    return StrictMath.exp(Math.clamp(rawScore, -300, 300));
  }
}
