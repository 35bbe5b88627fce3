package io.holdfast.boosting.leaf;

import io.holdfast.boosting.AnchorLoss;
import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.AnchorState;
import io.holdfast.boosting.tree.TreeStructure;

/**
 * Takes a training run's raw scores downhill, one tree's leaf values at a time. Owned by one
 * thread.
 */
public final class LeafSolver {
  /*
   * The full Newton step is taken if its system is positive definite and the anchor loss does not
   * rise. Else the third-derivative term is dropped (Gauss–Newton), under the same two conditions.
   * Else a Levenberg ridge is added to that, ten times stiffer each time: the step turns into ever
   * shorter gradient descent, so that one of them lowers the loss unless the gradient is 0 up to
   * rounding. Then the leaf values are 0. Whatever is not the full step is counted.
   */
  private static final double FIRST_RIDGE = 1e-3; // of the largest diagonal entry
  private static final int RIDGES = 20;
  private static final double ROUNDING = 1e-11; // of the loss: what a sum over rows may be off by

  /** What to do when the full step is not safe. */
  public enum Safeguard {
    ON,
    /** Take the full step all the same, as the reference vectors do. */
    OFF
  }

  private final AnchorObjective objective;
  private final double learningRate;
  private final double lambda;
  private final Safeguard safeguard;
  private double[] scores;
  private double[] trialScores;
  private AnchorState state;
  private AnchorState trialState;
  private int safeguards;

  /**
   * A solver that starts from {@code scores}.
   *
   * @param scores raw score of each row; copied
   * @param lambda ridge penalty on leaf values
   */
  public LeafSolver(
      AnchorObjective objective,
      double[] scores,
      double learningRate,
      double lambda,
      Safeguard safeguard) {
    this.objective = objective;
    this.learningRate = learningRate;
    this.lambda = lambda;
    this.safeguard = safeguard;
    this.scores = scores.clone();
    trialScores = new double[scores.length];
    state = objective.newState();
    trialState = objective.newState();
    objective.evaluate(this.scores, state);
  }

  /** The objective at the current scores; to be read before the next {@link #solve}. */
  public AnchorState state() {
    return state;
  }

  /** How often something else than the full step was taken. */
  public int safeguards() {
    return safeguards;
  }

  /** Leaf values of {@code tree}, learning rate included; the scores then include the tree. */
  public double[] solve(TreeStructure tree) {
    int leaves = tree.leaves();
    int[] leafOf = tree.leafOf();
    LeafStep full = LeafSystem.newton(state, leafOf, leaves, lambda).step();
    double[] values = full.times(learningRate);
    if (safeguard == Safeguard.OFF) {
      tryValues(values, leafOf);
      accept();
      return values;
    }
    if (!(full.descent() && tryValues(values, leafOf))) {
      safeguards++;
      values = safeValues(leafOf, leaves);
    }
    accept();
    return values;
  }

  private double[] safeValues(int[] leafOf, int leaves) {
    LeafSystem system = LeafSystem.gaussNewton(state, leafOf, leaves, lambda);
    LeafStep step = system.step();
    double[] values = step.times(learningRate);
    if (state.anchored() && step.descent() && tryValues(values, leafOf)) {
      return values; // without an anchor it is the full step again
    }
    double scale = system.scale();
    double ridge = FIRST_RIDGE * (scale > 0 ? scale : 1);
    for (int k = 0; k < RIDGES; k++) {
      step = system.plusRidge(ridge).step();
      values = step.times(learningRate);
      if (step.descent() && tryValues(values, leafOf)) {
        return values;
      }
      ridge *= 10;
    }
    double[] none = new double[leaves];
    tryValues(none, leafOf);
    return none;
  }

  /** Evaluates the scores with these leaf values; returns whether the loss does not rise. */
  private boolean tryValues(double[] values, int[] leafOf) {
    for (int row = 0; row < scores.length; row++) {
      trialScores[row] = scores[row] + values[leafOf[row]];
    }
    objective.evaluate(trialScores, trialState);
    AnchorLoss before = state.loss();
    double slack = ROUNDING * (Math.abs(before.base()) + Math.abs(before.penalty()));
    return trialState.loss().total() <= before.total() + slack;
  }

  private void accept() {
    double[] oldScores = scores;
    scores = trialScores;
    trialScores = oldScores;
    AnchorState oldState = state;
    state = trialState;
    trialState = oldState;
  }
}
