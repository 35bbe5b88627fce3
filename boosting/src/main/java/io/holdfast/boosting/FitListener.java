package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorLoss;

/**
 * Told of each round of a fit, on the thread that trains. What a listener throws ends training, and
 * is thrown on to whoever trains.
 */
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
   * @param environmentLosses what it is made of: the mean excess loss ({@code
   *     Objective.excessLoss}) of each environment of the rows held out, in the order of {@code
   *     Rows.environments()}; the listener's to keep
   */
  default void afterValidation(int round, double validationLoss, double[] environmentLosses) {}
}
