package io.holdfast.trainer.policy;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.FlatTrees;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import java.util.List;

/**
 * Raw scores of parts of a model, and their loss. Scores are row by row: of output k and row i at
 * {@code i * outputs + k}. Stateless.
 */
final class PartScores {
  private PartScores() {}

  static double[] of(List<Segment> segments, int outputs, Rows rows) {
    double[] scores = new double[Math.multiplyExact(outputs, rows.size())];
    add(FlatTrees.of(segments, rows.width()), outputs, rows, scores);
    return scores;
  }

  /** Adds the trees' scores to {@code scores}. */
  static void add(FlatTrees trees, int outputs, Rows rows, double[] scores) {
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      trees.add(values, scores, row * outputs);
    }
  }

  static double[] of(Base base, Rows rows) {
    int outputs = base.outputs();
    double[] scores = new double[Math.multiplyExact(outputs, rows.size())];
    double[] values = new double[rows.width()];
    double[] one = new double[outputs];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      base.score(values, one);
      System.arraycopy(one, 0, scores, row * outputs, outputs);
    }
    return scores;
  }

  /** The mean loss; 0 if the rows have no weight. */
  static double loss(Objective objective, Rows rows, double[] scores) {
    double[] one = new double[objective.outputs()];
    double loss = 0;
    double weight = 0;
    for (int row = 0; row < rows.size(); row++) {
      System.arraycopy(scores, row * one.length, one, 0, one.length);
      loss += rows.weight(row) * objective.loss(rows.label(row), one);
      weight += rows.weight(row);
    }
    return weight > 0 ? loss / weight : 0;
  }
}
