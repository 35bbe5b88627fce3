package io.holdfast.boosting.model;

import io.holdfast.boosting.data.Rows;

/**
 * Raw scores of feature vectors. Implementations are immutable and safe to share; all give the same
 * bits for the same model and features.
 */
public interface Scorer {

  /**
   * The raw score of one row.
   *
   * @param features of the model's width; not changed
   */
  double score(double[] features);

  /** The raw score of each row, the same bits as one by one. */
  default double[] scores(Rows rows) {
    double[] scores = new double[rows.size()];
    double[] features = new double[rows.width()];
    for (int row = 0; row < scores.length; row++) {
      rows.copyFeatures(row, features);
      scores[row] = score(features);
    }
    return scores;
  }

  /** The scorer that serves: the model's trees laid out in flat arrays. */
  static Scorer of(Model model) {
    return new FlatScorer(model);
  }
}
