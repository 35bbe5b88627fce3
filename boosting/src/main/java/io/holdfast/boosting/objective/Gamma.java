package io.holdfast.boosting.objective;

import io.holdfast.boosting.objective.LogLinkObjective.LogScale;

/** y e^−f + f for labels above 0; the prediction is e^f, the mean of a gamma distribution. */
public record Gamma() implements LogLinkObjective {
  @Override
  public String name() {
    return "gamma";
  }

  @Override
  public double loss(double label, double score) {
    double falling = LogScale.scaled(label, -score);
    return falling < Double.POSITIVE_INFINITY ? falling + score : falling;
  }

  @Override
  public double gradient(double label, double score) {
    return LogScale.difference(label, score, 1, LogScale.scaled(label, -score));
  }

  @Override
  public double hessian(double label, double score) {
    return LogScale.scaled(label, -score);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return -hessian(label, score);
  }

  @Override
  public double excess(double label, double score) {
    double above = score - StrictMath.log(label);
    double falling = StrictMath.expm1(-above);
    return falling < Double.POSITIVE_INFINITY ? falling + above : falling;
  }

  @Override
  public boolean accepts(double label) {
    return label > 0 && label < Double.POSITIVE_INFINITY;
  }

  @Override
  public String labelRule() {
    return "finite numbers above 0";
  }
}
