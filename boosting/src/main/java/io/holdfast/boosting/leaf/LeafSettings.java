package io.holdfast.boosting.leaf;

import io.holdfast.boosting.numeric.Check;

/**
 * How leaf values are taken from a second-order step.
 *
 * @param learningRate factor of the step, above 0 and at most 1
 * @param lambda1 penalty on the absolute value of a step, 0 or more
 * @param lambda2 penalty on half the square of a step, 0 or more
 */
public record LeafSettings(double learningRate, double lambda1, double lambda2, StepSize step) {
  /** Newton steps. */
  public LeafSettings(double learningRate, double lambda1, double lambda2) {
    this(learningRate, lambda1, lambda2, StepSize.NEWTON);
  }

  public LeafSettings {
    Check.that(
        learningRate > 0 && learningRate <= 1,
        "learningRate must be above 0 and at most 1: %s",
        learningRate);
    Check.that(
        lambda1 >= 0 && lambda1 < Double.POSITIVE_INFINITY,
        "lambda1 must be 0 or more and finite: %s",
        lambda1);
    Check.that(
        lambda2 >= 0 && lambda2 < Double.POSITIVE_INFINITY,
        "lambda2 must be 0 or more and finite: %s",
        lambda2);
  }
}
