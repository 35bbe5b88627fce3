package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/** SKELETON squared. */
@SuppressWarnings("DoNotCallSuggester")
public record Squared() implements Objective {
  @Override
  public String name() {
    return "squared";
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
    return false;
  }

  @Override
  public boolean accepts(double label) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String labelRule() {
    return "finite numbers";
  }
}
