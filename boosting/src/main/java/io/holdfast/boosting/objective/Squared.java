package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/** ½(y − f)²; the prediction is f itself, a mean. */
public record Squared() implements ScalarObjective {
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
  public double prediction(double score) {
    return score;
  }

  @Override
  public double initialScore(Rows rows) {
    double sum = 0;
    double weight = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += rows.weight(row) * rows.label(row);
      weight += rows.weight(row);
    }
    return sum / weight;
  }

  @Override
  public int classes() {
    return 0;
  }

  @Override
  public boolean accepts(double label) {
    return Double.isFinite(label);
  }

  @Override
  public String labelRule() {
    return "finite numbers";
  }
}
