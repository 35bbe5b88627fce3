package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorLoss;

/** Told of each round of a fit, on the thread that trains; what it throws ends training. */
@FunctionalInterface
public interface FitListener {

  /** Listens to nothing. */
  FitListener NONE = (round, anchorLoss) -> {};

  /**
   * A round is done.
   *
   * @param round 0 before the first tree, then the number of rounds appended
   * @param anchorLoss the anchor objective J of docs/math.md, a sum over the training rows
   */
  void afterRound(int round, AnchorLoss anchorLoss);

  /**
   * The rows held out were evaluated, after {@link #afterRound}.
   *
   * @param validationLoss by the criterion of {@link EarlyStopping}
   * @param environmentLosses the mean excess loss of each of the held-out rows' environments, in
   *     the order of {@code Rows.environments()}; the listener's to keep
   */
  default void afterValidation(int round, double validationLoss, double[] environmentLosses) {}
}
