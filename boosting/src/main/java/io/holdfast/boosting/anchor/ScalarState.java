package io.holdfast.boosting.anchor;

import io.holdfast.boosting.objective.Derivatives;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;

/** The anchor objective of a loss of one raw score a row. */
public final class ScalarState extends AnchorState {
  /*
   * With s = gamma − 1 and u = P r (docs/math.md):
   * dJ/df = w (r + s u h), and d²J/df² = diag(w (h + s u t)) + s diag(w h) P W⁻¹ diag(w h).
   */
  final double[] first; // r
  final double[] second; // h
  final double[] third; // t, if gamma is not 1
  private final double[] growth;
  final double[] projected; // u, if gamma is not 1
  private final double[] weighted; // w h, for coupling
  private final Derivatives derivatives;

  ScalarState(AnchorObjective objective) {
    super(objective);
    var buffers = objective.buffers();
    first = buffers.doubles(rows);
    second = buffers.doubles(rows);
    growth = buffers.doubles(rows);
    boolean anchored = strength != 0;
    third = buffers.doubles(anchored ? rows : 0);
    projected = buffers.doubles(anchored ? rows : 0);
    weighted = buffers.doubles(anchored ? rows : 0);
    derivatives = new Derivatives(anchored);
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
    for (int row = 0; row < rows; row++) {
      double gradient = first[row];
      if (strength != 0) {
        gradient += strength * projected[row] * second[row];
      }
      target[row] = weights[row] * gradient;
    }
  }

  /**
   * Adds each row's gradient to the sum of its unknown: what {@link #gradients} writes, unwritten.
   */
  public void addGradients(int[] unknownOf, double[] sums) {
    if (strength == 0) {
      for (int row = 0; row < rows; row++) {
        sums[unknownOf[row]] += weights[row] * first[row];
      }
      return;
    }
    for (int row = 0; row < rows; row++) {
      double gradient = first[row] + strength * projected[row] * second[row];
      sums[unknownOf[row]] += weights[row] * gradient;
    }
  }

  /** Adds each row's curvature to the sum of its unknown: what {@link #curvatures} writes. */
  public void addCurvatures(boolean withThird, int[] unknownOf, double[] sums) {
    if (withThird && strength != 0) {
      for (int row = 0; row < rows; row++) {
        double curvature = second[row] + strength * projected[row] * third[row];
        sums[unknownOf[row]] += weights[row] * curvature;
      }
      return;
    }
    double[] curvatures = withThird ? second : growth;
    for (int row = 0; row < rows; row++) {
      sums[unknownOf[row]] += weights[row] * curvatures[row];
    }
  }

  @Override
  public void growthHessians(double[] target) {
    for (int row = 0; row < rows; row++) {
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
    for (int row = 0; row < rows; row++) {
      double curvature = second[row] + strength * projected[row] * third[row];
      target[row] = weights[row] * curvature;
    }
  }

  @Override
  public void hessians(int k, int l, double[] target) {
    for (int row = 0; row < rows; row++) {
      target[row] = weights[row] * second[row];
    }
  }

  @Override
  void coupling(int[] outputs, int[][] unknownOf, int unknowns, double[] matrix) {
    hessians(0, 0, weighted);
    projection.addCoupling(strength, new double[][] {weighted}, unknownOf, unknowns, matrix);
  }

  @Override
  double derivatives(Objective objective, double[] labels, double[] scores) {
    ScalarObjective scalar = (ScalarObjective) objective;
    double base = 0;
    for (int row = 0; row < rows; row++) {
      double label = labels[row];
      double score = scores[row];
      scalar.derivatives(label, score, derivatives);
      base += weights[row] * derivatives.loss;
      first[row] = derivatives.first;
      second[row] = derivatives.second;
      if (strength != 0) {
        third[row] = derivatives.third;
      }
      growth[row] = derivatives.growth;
    }
    return base;
  }

  @Override
  double projectedSquare() {
    return project(first, projected);
  }
}
