package io.holdfast.boosting.objective;

/** y e^−f + f for labels above 0; the prediction is e^f, the mean of a gamma distribution. */
public record Gamma() implements LogLinkObjective {
  @Override
  public double loss(double label, double score) {
    double falling = LogLinkObjective.scaled(label, -score);
    return falling < Double.POSITIVE_INFINITY ? falling + score : falling;
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double falling = LogLinkObjective.scaled(label, -score);
    double first = LogLinkObjective.difference(label, score, 1, falling);
    target.set(loss(label, score), first, falling, -falling);
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
