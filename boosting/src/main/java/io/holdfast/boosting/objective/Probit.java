package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.MillsRatio;

/** −log Φ(±f) for labels 1 and 0; the prediction is Φ(f), the probability of the label 1. */
public record Probit() implements BinaryObjective {
  /*
   * With s = ±1 for labels 1 and 0, x = −s f and the normal hazard λ = φ(x)/Q(x):
   * L = −log Q(x), L' = −s λ, L'' = λ (λ − x), L''' = s λ (1 − (λ − x)(2λ − x)).
   */
  @Override
  public String name() {
    return "probit";
  }

  @Override
  public double loss(double label, double score) {
    return MillsRatio.minusLogTail(label > 0 ? -score : score);
  }

  @Override
  public double gradient(double label, double score) {
    return label > 0 ? -MillsRatio.hazard(-score) : MillsRatio.hazard(score);
  }

  @Override
  public double hessian(double label, double score) {
    double x = label > 0 ? -score : score;
    double hazard = MillsRatio.hazard(x);
    return hazard * MillsRatio.excess(x, hazard);
  }

  @Override
  public double thirdDerivative(double label, double score) {
    double x = label > 0 ? -score : score;
    return third(label, x, MillsRatio.hazard(x));
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double x = label > 0 ? -score : score;
    double hazard = MillsRatio.hazard(x);
    target.loss = loss(label, score);
    target.first = label > 0 ? -hazard : hazard;
    target.second = hazard * MillsRatio.excess(x, hazard);
    target.third = third(label, x, hazard);
    target.growth = target.second;
  }

  @Override
  public double prediction(double score) {
    return MillsRatio.tail(-score);
  }

  @Override
  public double initialScore(Rows rows) {
    double[] classes = LabelSummary.classWeights(rows, 2);
    return MillsRatio.quantile(classes[1], classes[0]);
  }

  private static double third(double label, double x, double hazard) {
    if (hazard == 0) {
      return 0; // φ has underflowed, and the factor may be infinite
    }
    double curvature = hazard * MillsRatio.curvatureFactor(x, hazard);
    return label > 0 ? curvature : -curvature;
  }
}
