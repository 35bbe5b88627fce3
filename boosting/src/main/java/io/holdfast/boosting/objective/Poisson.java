package io.holdfast.boosting.objective;

/**
 * e^f − y f for labels of at least 0; the prediction is e^f, the mean of a Poisson distribution.
 */
public record Poisson() implements LogLinkObjective {
  @Override
  public String name() {
    return "poisson";
  }

  @Override
  public double loss(double label, double score) {
    return StrictMath.exp(score) - label * score;
  }

  @Override
  public double gradient(double label, double score) {
    return LogScale.difference(label, score, StrictMath.exp(score), label);
  }

  @Override
  public double hessian(double label, double score) {
    return StrictMath.exp(score);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return StrictMath.exp(score);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double mean = StrictMath.exp(score);
    target.loss = mean - label * score;
    target.first = LogScale.difference(label, score, mean, label);
    target.second = mean;
    target.third = mean;
    target.growth = mean;
  }

  @Override
  public double deviance(double label, double score) {
    if (label == 0) {
      return 2 * StrictMath.exp(score);
    }
    double above = score - StrictMath.log(label);
    return 2 * label * (StrictMath.expm1(above) - above);
  }

  @Override
  public boolean accepts(double label) {
    return label >= 0 && label < Double.POSITIVE_INFINITY;
  }

  @Override
  public String labelRule() {
    return "finite numbers of 0 or more";
  }
}
