package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trees and losses of a run, on its rows and on rows held out, and which round is the best so
 * far: the model is cut back to it. Owned by one thread.
 */
final class RoundLosses {
  private final @Nullable EarlyStopping stopping;
  private final @Nullable ValidationScores validation;
  private final FitListener listener;
  private final Model start;
  private final List<Tree> trees = new ArrayList<>();
  private final List<AnchorLoss> losses = new ArrayList<>();
  private final List<Double> validationLosses = new ArrayList<>();
  private int bestRound;
  private int bestTrees;
  private Objective bestObjective;

  RoundLosses(@Nullable EarlyStopping stopping, FitListener listener, Model start) {
    this.stopping = stopping;
    this.listener = listener;
    this.start = start;
    validation = stopping == null ? null : new ValidationScores(stopping.validation(), start);
    bestObjective = start.objective();
  }

  /** Adds a round's trees. */
  void add(List<Tree> grown) {
    trees.addAll(grown);
    if (validation != null) {
      validation.add(grown);
    }
  }

  /**
   * Notes a round's losses, and whether it is the best so far.
   *
   * @param loss on the training rows
   * @param objective as it is after the round
   */
  void conclude(int round, AnchorLoss loss, Objective objective) {
    losses.add(loss);
    listener.afterRound(round, loss);
    if (stopping != null && validation != null) {
      double[] byEnvironment =
          EnvironmentLosses.excess(objective, stopping.validation(), validation.scores());
      double held = stopping.criterion().of(byEnvironment);
      // NaN is never better, and the first round has none to beat.
      boolean best = validationLosses.isEmpty() || held < validationLosses.get(bestRound);
      validationLosses.add(held);
      listener.afterValidation(round, held, byEnvironment);
      if (!best) {
        return;
      }
    }
    bestRound = round;
    bestTrees = trees.size();
    bestObjective = objective;
  }

  /** Whether there were enough rounds without a better one. */
  boolean exhausted(int round) {
    return stopping != null && round - bestRound >= stopping.patience();
  }

  /** The model of the best round, with all losses. */
  Fit fit(int safeguards, List<String> leftOut, @Nullable Double strength, @Nullable Bins bins) {
    Model learned = new Model(bestObjective, start.features(), start.base(), start.segments());
    Model longer =
        bestTrees == 0 ? learned : learned.plus(new Segment(trees.subList(0, bestTrees)));
    return new Fit(
        longer, losses, validationLosses, bestRound, safeguards, leftOut, strength, bins);
  }

  /** Raw scores of rows, kept up to date tree by tree. Owned by one thread. */
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
