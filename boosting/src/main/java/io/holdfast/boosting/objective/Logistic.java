package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Sigmoid;

/** −log σ(±f) for labels 1 and 0; the prediction is σ(f), the probability of the label 1. */
public record Logistic() implements BinaryObjective {
  @Override
  public String name() {
    return "logistic";
  }

  @Override
  public double loss(double label, double score) {
    return Sigmoid.logOnePlusExp(label > 0 ? -score : score);
  }

  @Override
  public double gradient(double label, double score) {
    return label > 0 ? -Sigmoid.of(-score) : Sigmoid.of(score);
  }

  @Override
  public double hessian(double label, double score) {
    return Sigmoid.of(score) * Sigmoid.of(-score);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return -hessian(label, score) * StrictMath.tanh(0.5 * score);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    // One exponential does for all; the branches are those of Sigmoid.
    double odds = StrictMath.exp(-Math.abs(score)); // of the less likely label
    double less = odds / (1 + odds);
    double more = 1 / (1 + odds);
    double one = score >= 0 ? more : less;
    double zero = score >= 0 ? less : more;
    double hessian = one * zero;
    double against = label > 0 ? -score : score;
    target.loss = Math.max(against, 0) + StrictMath.log1p(odds);
    target.first = label > 0 ? -zero : one;
    target.second = hessian;
    target.third = target.withThird ? -hessian * StrictMath.tanh(0.5 * score) : 0;
    target.growth = target.second;
  }

  @Override
  public double prediction(double score) {
    return Sigmoid.of(score);
  }

  @Override
  public double initialScore(Rows rows) {
    double[] classes = LabelSummary.classWeights(rows, 2);
    return StrictMath.log(classes[1] / classes[0]);
  }
}
