package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;

/** ½(y − f)²; the prediction is f itself, a mean. */
public record Squared() implements RealObjective {
  @Override
  public double loss(double label, double score) {
    double residual = label - score;
    return 0.5 * residual * residual;
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    target.set(loss(label, score), score - label, 1, 0);
  }

  @Override
  public boolean constantCurvature() {
    return true;
  }

  @Override
  public void derivatives(DerivativeBlock block, int count) {
    double[] labels = block.labels;
    double[] scores = block.scores;
    double[] loss = block.loss;
    double[] first = block.first;
    for (int k = 0; k < count; k++) {
      double residual = labels[k] - scores[k];
      loss[k] = 0.5 * residual * residual;
      first[k] = scores[k] - labels[k];
    }
    Arrays.fill(block.second, 0, count, 1);
    Arrays.fill(block.third, 0, count, 0);
    Arrays.fill(block.growth, 0, count, 1);
  }

  @Override
  public double initialScore(Rows rows) {
    return LabelSummary.mean(rows);
  }
}
