package io.holdfast.boosting.tree;

import io.holdfast.boosting.Penalties;

/**
 * What it gains to part the rows of a leaf into a group and the others (docs/math.md, "Splits").
 * Scratch is reused: not thread-safe.
 */
abstract sealed class SplitGain permits ScalarGain, VectorGain, CoupledGain {
  /** Of a split that is not allowed. */
  static final double REFUSED = Double.NEGATIVE_INFINITY;

  final double lambda1;
  final double lambda2;
  final double price;

  SplitGain(Penalties penalties) {
    lambda1 = penalties.lambda1();
    lambda2 = penalties.lambda2();
    price = penalties.leafPrice();
  }

  /**
   * Turns to a leaf.
   *
   * @param lower what the steps of its children must be at least
   * @param upper what they must be at most
   */
  abstract void enter(Totals total, double lower, double upper);

  /**
   * The gain, price taken off, or {@link #REFUSED}.
   *
   * @param group channel sums of the group, which goes left if there is a direction
   * @param direction +1 if the step of the group may not exceed the others', −1 the other way round
   */
  abstract double gain(double[] group, int direction);

  /** Half-way between the steps of both children. */
  abstract double middle(double[] group);

  /** The sum of all curvature in some channel sums. */
  abstract double curvature(double[] sums);

  /** By how many ratios categories are put in order, to take groups from either end. */
  abstract int orders();

  /** The gradient of such a ratio. */
  abstract double gradient(int order, double[] sums, int firstChannel);

  /** The hessian of such a ratio. */
  abstract double hessian(int order, double[] sums, int firstChannel);

  /** T of docs/math.md: what λ₁ leaves of a gradient sum. */
  final double soft(double gradient) {
    if (lambda1 == 0) {
      return gradient;
    }
    if (gradient > lambda1) {
      return gradient - lambda1;
    }
    if (gradient < -lambda1) {
      return gradient + lambda1;
    }
    return Double.isNaN(gradient) ? gradient : 0;
  }

  /** T(G)²/(S + λ₂); 0 where the loss does not curve upwards. */
  final double score(double gradient, double hessian) {
    double curvature = hessian + lambda2;
    if (!(curvature > 0)) {
      return 0;
    }
    double slope = soft(gradient);
    return slope * slope / curvature;
  }
}
