package io.holdfast.bench.streams;

import io.holdfast.boosting.data.Rows;

/** Predicts the newest label known; 0 before there is one. */
final class NoChange implements StreamLearner {
  private final Rows rows;
  private double last;

  NoChange(LabelledStream stream) {
    rows = stream.rows();
  }

  @Override
  public double predict(int row) {
    return last;
  }

  @Override
  public void learn(int row) {
    last = rows.label(row);
  }
}
