package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;

/** −log σ(±f) for labels 1 and 0; the prediction is σ(f), the probability of the label 1. */
public record Logistic() implements ScalarObjective {
  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public double loss(double label, double score) {
    double against = label > 0 ? -score : score;
    return Math.max(against, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(score)));
  }

  @Override
  public double gradient(double label, double score) {
    return label > 0 ? -sigmoid(-score) : sigmoid(score);
  }

  @Override
  public double hessian(double label, double score) {
    return sigmoid(score) * sigmoid(-score);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return -hessian(label, score) * StrictMath.tanh(0.5 * score);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double one = sigmoid(score);
    double zero = sigmoid(-score);
    double hessian = one * zero;
    target.first = label > 0 ? -zero : one;
    target.second = hessian;
    target.third = -hessian * StrictMath.tanh(0.5 * score);
  }

  @Override
  public double prediction(double score) {
    return sigmoid(score);
  }

  @Override
  public double initialScore(Rows rows) {
    ClassWeights classes = ClassWeights.of(rows);
    return StrictMath.log(classes.one() / classes.zero());
  }

  @Override
  public int classes() {
    return 2;
  }

  @Override
  public boolean accepts(double label) {
    return label == 0 || label == 1;
  }

  @Override
  public String labelRule() {
    return "0 or 1";
  }

  /** Both branches take exp of something negative: no overflow, and no 1 − p that cancels. */
  private static double sigmoid(double score) {
    if (score >= 0) {
      return 1 / (1 + StrictMath.exp(-score));
    }
    double odds = StrictMath.exp(score);
    return odds / (1 + odds);
  }
}
