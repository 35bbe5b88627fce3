package io.holdfast.boosting.objective;

/** |y − f|; the prediction is f itself, a median. At y = f the gradient is taken to be 0. */
public record Absolute() implements QuantileObjective {
  @Override
  public double loss(double label, double score) {
    return Math.abs(label - score);
  }

  @Override
  public double gradient(double label, double score) {
    return Math.signum(score - label);
  }

  @Override
  public double level() {
    return 0.5;
  }
}
