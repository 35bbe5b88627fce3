package io.holdfast.boosting.model;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.kernel.CompiledScorer;

/**
 * Raw scores of feature vectors. Implementations are immutable and safe to share; all give the same
 * bits for the same model and features.
 */
public interface Scorer {

  /** How many raw scores a row has. */
  int outputs();

  /**
   * The raw score of one row, by a model of one output.
   *
   * @param features of the model's width; not changed
   * @throws IllegalArgumentException if rows have several raw scores
   */
  double score(double[] features);

  /**
   * Writes the raw scores of one row to {@code target[0, outputs)}.
   *
   * @param features of the model's width; not changed
   */
  void score(double[] features, double[] target);

  /**
   * The raw scores of each row, the same bits as one by one, output by output: output {@code k} of
   * row {@code r} is at {@code k * rows.size() + r}.
   */
  default double[] scores(Rows rows) {
    int size = rows.size();
    double[] scores = new double[Math.multiplyExact(outputs(), size)];
    double[] features = new double[rows.width()];
    double[] one = new double[outputs()];
    for (int row = 0; row < size; row++) {
      rows.copyFeatures(row, features);
      score(features, one);
      for (int k = 0; k < one.length; k++) {
        scores[k * size + row] = one[k];
      }
    }
    return scores;
  }

  /** The scorer that serves: the model compiled for speed. */
  static Scorer of(Model model) {
    return CompiledScorer.of(model);
  }
}
