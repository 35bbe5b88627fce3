package io.holdfast.boosting.anchor;

import io.holdfast.boosting.objective.Objective;

/**
 * The anchor objective J at some raw scores. Its second derivative has a part that is diagonal by
 * rows, {@link #curvatures}, and one that couples rows that share an anchor, {@link #addCoupling}.
 * Owned by one thread; overwritten by the next evaluation into it.
 *
 * <p>Of arrays with an entry an output and row, output {@code k} of row {@code r} of {@code n} is
 * at {@code k * n + r}.
 */
public abstract sealed class AnchorState permits ScalarState, SoftmaxState {
  final int rows;
  final double[] weights; // may be longer
  final boolean unitWeights; // all are 1
  final double strength; // gamma − 1
  final Projection projection;
  private AnchorLoss loss = new AnchorLoss(Double.NaN, Double.NaN);

  AnchorState(AnchorObjective objective) {
    rows = objective.rows();
    weights = objective.weights;
    unitWeights = objective.unitWeights;
    strength = objective.strength;
    projection = objective.projection;
  }

  /** J at these scores. */
  public final AnchorLoss loss() {
    return loss;
  }

  /** How many raw scores a row has. */
  public abstract int outputs();

  /** Whether gamma is not 1. */
  public final boolean anchored() {
    return strength != 0;
  }

  /** Whether J does not change, and so is singular, when all raw scores of a row move alike. */
  public abstract boolean shiftInvariant();

  /** Writes dJ/df, weights included; one entry an output and row. */
  public abstract void gradients(double[] target);

  /**
   * Writes the curvatures that trees grow on, one entry an output and row: w d²L/df², or w times
   * what the loss has in place of a curvature that may be 0 or below.
   */
  public abstract void growthHessians(double[] target);

  /**
   * Writes the part of d²J/df_k df_l that is diagonal by rows, weights included; one entry a row.
   *
   * @param third with the anchor's term of the third derivative; without it is what Gauss and
   *     Newton take, the curvatures that trees grow on
   */
  public abstract void curvatures(int k, int l, boolean third, double[] target);

  /** Writes w d²L/df_k df_l, the loss's own second derivative; one entry a row. */
  public abstract void hessians(int k, int l, double[] target);

  /**
   * Adds the coupling part of d²J/df² in some unknowns; none if gamma is 1. Unknown {@code
   * unknownOf[a][row]} moves the raw score of output {@code outputs[a]} of a row.
   *
   * @param matrix {@code unknowns × unknowns}, row-major; only its lower triangle is changed
   */
  public final void addCoupling(int[] outputs, int[][] unknownOf, int unknowns, double[] matrix) {
    if (strength != 0) {
      coupling(outputs, unknownOf, unknowns, matrix);
    }
  }

  abstract void coupling(int[] outputs, int[][] unknownOf, int unknowns, double[] matrix);

  final void evaluate(Objective objective, double[] labels, double[] scores) {
    double base = derivatives(objective, labels, scores);
    loss = new AnchorLoss(base, strength == 0 ? 0 : 0.5 * strength * projectedSquare());
  }

  /** Fills in the derivatives of the rows' losses; returns the weighted sum of these. */
  abstract double derivatives(Objective objective, double[] labels, double[] scores);

  /** Fills in the projection of the gradients; returns its weighted square. */
  abstract double projectedSquare();
}
