package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;

/** ½(y − f)²; the prediction is f itself, a mean. */
public record Squared() implements RealObjective {
  @Override
  public String name() {
    return "squared";
  }

  @Override
  public double loss(double label, double score) {
    double residual = label - score;
    return 0.5 * residual * residual;
  }

  @Override
  public double gradient(double label, double score) {
    return score - label;
  }

  @Override
  public double hessian(double label, double score) {
    return 1;
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return 0;
  }

  @Override
  public void derivatives(
      double[] labels, double[] scores, int from, int count, DerivativeBlock target) {
    double[] loss = target.loss;
    double[] first = target.first;
    for (int k = 0; k < count; k++) {
      double residual = labels[from + k] - scores[from + k];
      loss[k] = 0.5 * residual * residual;
      first[k] = scores[from + k] - labels[from + k];
    }
    Arrays.fill(target.second, 0, count, 1);
    Arrays.fill(target.third, 0, count, 0);
    Arrays.fill(target.growth, 0, count, 1);
  }

  @Override
  public double initialScore(Rows rows) {
    return LabelSummary.mean(rows);
  }
}
