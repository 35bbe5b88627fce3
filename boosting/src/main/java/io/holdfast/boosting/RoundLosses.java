package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The losses after each round of a run, on the rows and on rows held out, and which round is the
 * best so far. Owned by one thread.
 */
final class RoundLosses {
  private final @Nullable EarlyStopping stopping;
  private final @Nullable ValidationScores validation;
  private final FitListener listener;
  private final List<AnchorLoss> losses = new ArrayList<>();
  private final List<Double> validationLosses = new ArrayList<>();
  private int bestRound;

  RoundLosses(@Nullable EarlyStopping stopping, FitListener listener, Model start) {
    this.stopping = stopping;
    this.listener = listener;
    validation = stopping == null ? null : new ValidationScores(stopping.validation(), start);
  }

  /** Adds a round's trees to the scores of the rows held out. */
  void add(List<Tree> trees) {
    if (validation != null) {
      validation.add(trees);
    }
  }

  /**
   * Notes a round's losses.
   *
   * @param loss on the training rows
   * @param objective as it is after the round
   * @return whether the round is the best so far
   */
  boolean conclude(int round, AnchorLoss loss, Objective objective) {
    losses.add(loss);
    listener.afterRound(round, loss);
    boolean best = true;
    if (stopping != null && validation != null) {
      double[] byEnvironment = stopping.losses(objective, validation.scores());
      double held = stopping.criterion().of(byEnvironment);
      // NaN is never better, and the first round has none to beat.
      best = validationLosses.isEmpty() || held < validationLosses.get(bestRound);
      validationLosses.add(held);
      listener.afterValidation(round, held, byEnvironment);
    }
    if (best) {
      bestRound = round;
    }
    return best;
  }

  /** Whether there were enough rounds without a better one. */
  boolean exhausted(int round) {
    return stopping != null && round - bestRound >= stopping.patience();
  }

  List<AnchorLoss> losses() {
    return losses;
  }

  List<Double> validationLosses() {
    return validationLosses;
  }

  int bestRound() {
    return bestRound;
  }

  /** Raw scores of rows held out, kept up to date tree by tree. Owned by one thread. */
  static final class ValidationScores {
    private final Rows rows;
    private final double[] scores; // output by output
    private final double[] features;

    ValidationScores(Rows rows, Model start) {
      this.rows = rows;
      scores = Scorer.scoresOf(start, rows);
      features = new double[rows.width()];
    }

    /** Adds one round's trees, in order: the same bits as the longer model's scorer gives. */
    void add(List<Tree> trees) {
      for (int row = 0; row < rows.size(); row++) {
        rows.copyFeatures(row, features);
        for (Tree tree : trees) {
          int leaf = tree.leafOf(features);
          for (int k = 0; k < tree.outputs(); k++) {
            scores[(tree.output() + k) * rows.size() + row] += tree.leafValue(leaf, k);
          }
        }
      }
    }

    double[] scores() {
      return scores;
    }
  }
}
