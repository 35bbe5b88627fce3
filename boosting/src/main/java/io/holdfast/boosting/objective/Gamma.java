package io.holdfast.boosting.objective;

/** y e^−f + f for labels above 0; the prediction is e^f, the mean of a gamma distribution. */
public record Gamma() implements LogLinkObjective {
  @Override
  public String name() {
    return "gamma";
  }

  @Override
  public double loss(double label, double score) {
    return label * StrictMath.exp(-score) + score;
  }

  @Override
  public double gradient(double label, double score) {
    return LogScale.difference(label, score, 1, label * StrictMath.exp(-score));
  }

  @Override
  public double hessian(double label, double score) {
    return label * StrictMath.exp(-score);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return -hessian(label, score);
  }

  @Override
  public double deviance(double label, double score) {
    double above = score - StrictMath.log(label);
    return 2 * (StrictMath.expm1(-above) + above);
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
