package io.holdfast.bench.data;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;

/** Mean excess loss of rows; of squared and logistic error that is the loss itself. */
public final class MeanLoss {
  private MeanLoss() {}

  /** By raw scores, output by output. */
  public static double of(Objective objective, Rows rows, double[] scores) {
    double[] one = new double[objective.outputs()];
    double loss = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      loss += objective.excessLoss(rows.label(row), one);
    }
    return loss / rows.size();
  }

  /** That of the constant fitted to {@code train}: what there is to be learned. */
  public static double ofConstant(Objective objective, Rows train, Rows test) {
    Objective fitted = objective.fittedTo(train);
    double[] constant = fitted.initialScores(train);
    double loss = 0;
    for (int row = 0; row < test.size(); row++) {
      loss += fitted.excessLoss(test.label(row), constant);
    }
    return loss / test.size();
  }
}
