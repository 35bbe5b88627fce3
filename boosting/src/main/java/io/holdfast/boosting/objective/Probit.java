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
  public double loss(double label, double score) {
    return MillsRatio.minusLogTail(label > 0 ? -score : score);
  }

  @Override
  public void derivatives(double label, double score, Derivatives target) {
    double x = label > 0 ? -score : score;
    double hazard = MillsRatio.hazard(x);
    // Where φ has underflowed the factor may be infinite.
    double third = hazard == 0 ? 0 : hazard * MillsRatio.curvatureFactor(x, hazard);
    target.set(
        loss(label, score),
        label > 0 ? -hazard : hazard,
        hazard * MillsRatio.excess(x, hazard),
        label > 0 || hazard == 0 ? third : -third);
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
}
