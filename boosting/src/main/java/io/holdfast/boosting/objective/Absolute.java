package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import java.util.OptionalDouble;

/** |y − f|; the prediction is f itself, a median. At y = f the gradient is taken to be 0. */
public record Absolute() implements RealObjective {
  @Override
  public String name() {
    return "absolute";
  }

  @Override
  public double loss(double label, double score) {
    return Math.abs(label - score);
  }

  @Override
  public double gradient(double label, double score) {
    return Math.signum(score - label);
  }

  @Override
  public double hessian(double label, double score) {
    return 0;
  }

  @Override
  public double thirdDerivative(double label, double score) {
    return 0;
  }

  /** 1: splits are those of the gradients' means. */
  @Override
  public double growthCurvature(double label, double score) {
    return 1;
  }

  @Override
  public double initialScore(Rows rows) {
    return LabelSummary.quantile(rows, 0.5);
  }

  @Override
  public OptionalDouble leafQuantile() {
    return OptionalDouble.of(0.5);
  }

  @Override
  public boolean anchorable() {
    return false;
  }
}
