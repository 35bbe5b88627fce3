package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.Sigmoid;

/**
 * e^−f for the label 1 and e^f for 0, AdaBoost's loss; the prediction is σ(2f), the probability of
 * the label 1. Beyond raw scores of about 700 on the wrong side it overflows to infinity.
 */
public record Exponential() implements BinaryObjective {
  @Override
  public double loss(double label, double score) {
    return StrictMath.exp(label > 0 ? -score : score);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double loss = loss(label, score);
    double slope = label > 0 ? -loss : loss;
    target.set(loss, slope, loss, slope);
  }

  @Override
  public double logLoss(double label, double score) {
    return Sigmoid.logOnePlusExp(label > 0 ? -2 * score : 2 * score);
  }

  @Override
  public double prediction(double score) {
    return Sigmoid.of(2 * score);
  }

  @Override
  public double initialScore(Rows rows) {
    double[] classes = LabelSummary.classWeights(rows, 2);
    return 0.5 * StrictMath.log(classes[1] / classes[0]);
  }
}
