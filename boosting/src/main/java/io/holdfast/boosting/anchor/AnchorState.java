package io.holdfast.boosting.anchor;

import io.holdfast.boosting.AnchorLoss;

/**
 * The anchor objective at some raw scores: its loss, and what gradients and curvatures are made of.
 * Owned by one thread; overwritten by the next evaluation into it.
 */
public final class AnchorState {
  private final double[] weights;
  private final double strength; // gamma − 1
  private final Projection projection;
  final double[] first; // r
  final double[] second; // h
  final double[] third; // t
  final double[] projected; // P r
  AnchorLoss loss = new AnchorLoss(Double.NaN, Double.NaN);

  AnchorState(double[] weights, double strength, Projection projection) {
    this.weights = weights;
    this.strength = strength;
    this.projection = projection;
    first = new double[weights.length];
    second = new double[weights.length];
    third = new double[weights.length];
    projected = new double[weights.length];
  }

  /** J at these scores. */
  public AnchorLoss loss() {
    return loss;
  }

  /** How many rows there are. */
  public int rows() {
    return weights.length;
  }

  /** Whether gamma is not 1. */
  public boolean anchored() {
    return strength != 0;
  }

  /** Writes dJ/df = w (r + (gamma − 1) (P r) h), one entry a row. */
  public void gradients(double[] target) {
    for (int row = 0; row < target.length; row++) {
      double gradient = first[row];
      if (strength != 0) {
        gradient += strength * projected[row] * second[row];
      }
      target[row] = weights[row] * gradient;
    }
  }

  /** Writes w h, the curvature without the anchor, one entry a row. */
  public void hessians(double[] target) {
    for (int row = 0; row < target.length; row++) {
      target[row] = weights[row] * second[row];
    }
  }

  /** Writes w (h + (gamma − 1) (P r) t): the part of d²J/df² that is diagonal by rows. */
  public void diagonals(double[] target) {
    for (int row = 0; row < target.length; row++) {
      double curvature = second[row];
      if (strength != 0) {
        curvature += strength * projected[row] * third[row];
      }
      target[row] = weights[row] * curvature;
    }
  }

  /**
   * Adds the rest of d²J/df², summed over leaves: (gamma − 1) Mᵀ diag(h) W P diag(h) M.
   *
   * @param hessians what {@link #hessians} writes
   * @param matrix {@code leaves × leaves}, row-major
   */
  public void addCoupling(double[] hessians, int[] leafOf, int leaves, double[] matrix) {
    if (strength != 0) {
      projection.addCoupling(strength, hessians, leafOf, leaves, matrix);
    }
  }
}
