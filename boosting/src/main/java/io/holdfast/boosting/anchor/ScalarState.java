package io.holdfast.boosting.anchor;

import io.holdfast.boosting.objective.Derivatives;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;

/** The anchor objective of a loss of one raw score a row. */
final class ScalarState extends AnchorState {
  /*
   * With s = gamma − 1 and u = P r (docs/math.md):
   * dJ/df = w (r + s u h), and d²J/df² = diag(w (h + s u t)) + s diag(w h) P W⁻¹ diag(w h).
   */
  final double[] first; // r
  final double[] second; // h
  final double[] third; // t
  private final double[] growth;
  final double[] projected; // u
  private final Derivatives derivatives = new Derivatives();

  ScalarState(double[] weights, double strength, Projection projection) {
    super(weights, strength, projection);
    first = new double[weights.length];
    second = new double[weights.length];
    third = new double[weights.length];
    growth = new double[weights.length];
    projected = new double[weights.length];
  }

  @Override
  public int outputs() {
    return 1;
  }

  @Override
  public boolean shiftInvariant() {
    return false;
  }

  @Override
  public void gradients(double[] target) {
    for (int row = 0; row < weights.length; row++) {
      double gradient = first[row];
      if (strength != 0) {
        gradient += strength * projected[row] * second[row];
      }
      target[row] = weights[row] * gradient;
    }
  }

  @Override
  public void growthHessians(double[] target) {
    for (int row = 0; row < weights.length; row++) {
      target[row] = weights[row] * growth[row];
    }
  }

  @Override
  public void curvatures(int k, int l, boolean withThird, double[] target) {
    if (!withThird) {
      growthHessians(target);
      return;
    }
    if (strength == 0) {
      hessians(0, 0, target);
      return;
    }
    for (int row = 0; row < weights.length; row++) {
      double curvature = second[row] + strength * projected[row] * third[row];
      target[row] = weights[row] * curvature;
    }
  }

  @Override
  public void hessians(int k, int l, double[] target) {
    for (int row = 0; row < weights.length; row++) {
      target[row] = weights[row] * second[row];
    }
  }

  @Override
  void coupling(int[] outputs, int[][] unknownOf, int unknowns, double[] matrix) {
    double[] hessians = new double[weights.length];
    hessians(0, 0, hessians);
    projection.addCoupling(strength, new double[][] {hessians}, unknownOf, unknowns, matrix);
  }

  @Override
  double derivatives(Objective objective, double[] labels, double[] scores) {
    ScalarObjective scalar = (ScalarObjective) objective;
    double base = 0;
    for (int row = 0; row < labels.length; row++) {
      double label = labels[row];
      double score = scores[row];
      base += weights[row] * scalar.loss(label, score);
      scalar.derivatives(label, score, derivatives);
      first[row] = derivatives.first;
      second[row] = derivatives.second;
      third[row] = derivatives.third;
      growth[row] = derivatives.growth;
    }
    return base;
  }

  @Override
  double projectedSquare() {
    return project(first, projected);
  }
}
