package io.holdfast.boosting.select;

import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.anchor.AnchorLoss;

/** Writes the losses of held-out environments to their columns, a line a round. */
final class LossRecorder implements FitListener {
  private final double[][] target;
  private final int[] columns;

  LossRecorder(double[][] target, int[] columns) {
    this.target = target;
    this.columns = columns;
  }

  @Override
  public void afterRound(int round, AnchorLoss anchorLoss) {
    // Only what is held out counts.
  }

  @Override
  public void afterValidation(int round, double validationLoss, double[] environmentLosses) {
    for (int k = 0; k < columns.length; k++) {
      target[round][columns[k]] = environmentLosses[k];
    }
  }
}
