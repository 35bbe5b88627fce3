package io.holdfast.boosting.anchor;

import io.holdfast.boosting.AnchorLoss;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Derivatives;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.ScalarObjective;

/**
 * J(f) = Σ w L(y, f) + (gamma − 1)/2 · ‖P r‖², the norm weighted by w (docs/math.md, section 2).
 * Owned by one thread.
 */
public final class AnchorObjective {
  private final ScalarObjective objective;
  private final Projection projection;
  private final double strength;
  private final double[] labels;
  private final double[] weights;
  private final Derivatives derivatives = new Derivatives();

  /**
   * The objective of these rows.
   *
   * @param projection of as many rows; not asked at all if gamma is 1
   * @param gamma anchor strength; 1 is the plain loss, bit for bit
   */
  public AnchorObjective(Objective objective, Rows rows, Projection projection, double gamma) {
    this.objective = (ScalarObjective) objective;
    this.projection = projection;
    strength = gamma - 1;
    labels = new double[rows.size()];
    weights = new double[rows.size()];
    for (int row = 0; row < labels.length; row++) {
      labels[row] = rows.label(row);
      weights[row] = rows.weight(row);
    }
  }

  /** A state to be filled by {@link #evaluate}. */
  public AnchorState newState() {
    return new AnchorState(weights, strength, projection);
  }

  /** Fills {@code state} with loss and derivatives at these raw scores. */
  public void evaluate(double[] scores, AnchorState state) {
    double base = 0;
    for (int row = 0; row < labels.length; row++) {
      double label = labels[row];
      double score = scores[row];
      base += weights[row] * objective.loss(label, score);
      objective.derivatives(label, score, derivatives);
      state.first[row] = derivatives.first;
      state.second[row] = derivatives.second;
      state.third[row] = derivatives.third;
    }
    double penalty = 0;
    if (strength != 0) {
      projection.project(state.first, state.projected);
      for (int row = 0; row < labels.length; row++) {
        penalty += weights[row] * state.projected[row] * state.projected[row];
      }
      penalty *= 0.5 * strength;
    }
    state.loss = new AnchorLoss(base, penalty);
  }
}
