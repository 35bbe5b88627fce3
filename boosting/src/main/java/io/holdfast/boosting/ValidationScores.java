package io.holdfast.boosting;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.scoring.Scorer;
import java.util.List;

/** Raw scores of rows held out, kept up to date tree by tree. Owned by one thread. */
final class ValidationScores {
  private final Rows rows;
  private final double[] scores; // output by output
  private final double[] features;

  ValidationScores(Rows rows, Model start) {
    this.rows = rows;
    scores = Scorer.scoresOf(start, rows);
    features = new double[rows.width()];
  }

  /** Adds one round's trees, in order: the same bits as the longer model's scorer gives. */
  void add(List<Tree> trees) {
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, features);
      for (Tree tree : trees) {
        int leaf = tree.leafOf(features);
        for (int k = 0; k < tree.outputs(); k++) {
          scores[(tree.output() + k) * rows.size() + row] += tree.leafValue(leaf, k);
        }
      }
    }
  }

  double[] scores() {
    return scores;
  }
}
