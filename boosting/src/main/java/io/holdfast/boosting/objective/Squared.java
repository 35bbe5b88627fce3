package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

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
  public double initialScore(Rows rows) {
    return LabelSummary.mean(rows);
  }
}
