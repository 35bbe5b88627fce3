package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/** SKELETON logistic. */
@SuppressWarnings("DoNotCallSuggester")
public record Logistic() implements Objective {
  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public double loss(double label, double score) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double gradient(double label, double score) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double hessian(double label, double score) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double thirdDerivative(double label, double score) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double prediction(double score) {
    throw new UnsupportedOperationException();
  }

  @Override
  public double initialScore(Rows rows) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean binary() {
    return true;
  }

  @Override
  public boolean accepts(double label) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String labelRule() {
    return "0 or 1";
  }
}
