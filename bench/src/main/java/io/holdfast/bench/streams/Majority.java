package io.holdfast.bench.streams;

import io.holdfast.boosting.data.Rows;

/** Predicts the most frequent class of all labels known, or their mean; 0 before there is one. */
final class Majority implements StreamLearner {
  private final Rows rows;
  private final int[] counts; // by class; empty if labels are real
  private int largest;
  private double mean;
  private long known;

  Majority(LabelledStream stream) {
    rows = stream.rows();
    counts = new int[stream.classes()];
  }

  @Override
  public double predict(int row) {
    return counts.length == 0 ? mean : largest;
  }

  @Override
  public void learn(int row) {
    double label = rows.label(row);
    known++;
    if (counts.length == 0) {
      mean += (label - mean) / known;
    } else if (++counts[(int) label] > counts[largest]) {
      largest = (int) label;
    }
  }
}
