package io.holdfast.boosting.objective;

/**
 * e^f − y f for labels of at least 0; the prediction is e^f, the mean of a Poisson distribution.
 */
public record Poisson() implements LogLinkObjective {
  @Override
  public double loss(double label, double score) {
    return loss(label, score, StrictMath.exp(score));
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double mean = StrictMath.exp(score);
    double first = LogLinkObjective.difference(label, score, mean, label);
    target.set(loss(label, score, mean), first, mean, mean);
  }

  private static double loss(double label, double score, double mean) {
    if (label == 0) {
      return mean; // and not 0 times infinity
    }
    if (mean < Double.POSITIVE_INFINITY) {
      return mean - label * score;
    }
    // f (e^f / f − y): the two may be alike, and beyond all doubles
    return score < Double.POSITIVE_INFINITY
        ? score * (StrictMath.exp(score - StrictMath.log(score)) - label)
        : score;
  }

  @Override
  public double excess(double label, double score) {
    double mean = StrictMath.exp(score);
    if (label == 0) {
      return mean;
    }
    double above = score - StrictMath.log(label);
    double relative = StrictMath.expm1(above) - above;
    if (relative < Double.POSITIVE_INFINITY) {
      return label * relative;
    }
    // The label is far from the mean.
    return mean < Double.POSITIVE_INFINITY ? mean - label * (1 + above) : mean;
  }
}
