package io.holdfast.bench;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;

/** Mean loss of rows by their raw scores, which stand output by output. Stateless. */
final class MeanLoss {
  private MeanLoss() {}

  static double of(Objective objective, Rows rows, double[] scores) {
    double[] one = new double[objective.outputs()];
    double loss = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      loss += objective.loss(rows.label(row), one);
    }
    return loss / rows.size();
  }

  /** That of the constant fitted to {@code train}: what there is to be learned. */
  static double ofConstant(Objective objective, Rows train, Rows test) {
    double[] constant = objective.initialScores(train);
    double loss = 0;
    for (int row = 0; row < test.size(); row++) {
      loss += objective.loss(test.label(row), constant);
    }
    return loss / test.size();
  }
}
