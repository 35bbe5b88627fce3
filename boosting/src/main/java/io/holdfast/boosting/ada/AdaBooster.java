package io.holdfast.boosting.ada;

import io.holdfast.boosting.ada.AdaBoostFit.Round;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.CategoryTargets;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Buffers;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;

/**
 * AdaBoost.M1 for two classes, SAMME for more (docs/math.md, "AdaBoost"): the model's leaf values
 * are votes, ±α/2 with the objective {@code exponential} of two classes, with {@code softmax} α for
 * the leaf's class and 0 for the others. Its link gives the probabilities that AdaBoost estimates.
 *
 * <p>Stateless; the result is a function of the arguments, bit for bit. To stop training, interrupt
 * its thread: it ends after the round at hand, with a {@link CancellationException}.
 */
public final class AdaBooster {
  /*
   * A round: a tree is grown on the rows' weights, or on rows drawn by them; each leaf votes for its
   * heaviest class; the tree counts α = log((1 − error)/error) + log(K − 1), by its error on all rows
   * by weight; wrong rows get e^α times their weight, and all are normalised.
   *
   * A tree without error gets the finite vote of VotingTree.faultlessVote and ends training. A tree no better
   * than guessing (error >= 1 − 1/K) is discarded: by weighting the next would be the same, so
   * training ends; by resampling only the round is lost.
   */
  private final AdaBoostSettings settings;

  /** A booster that votes as these settings say. */
  public AdaBooster(AdaBoostSettings settings) {
    this.settings = settings;
  }

  /** A model without votes, of 2 or more classes. */
  public static Model untrained(int classes, List<Feature> features) {
    Check.that(classes >= 2, "there must be at least 2 classes: %s", classes);
    Objective objective = classes == 2 ? new Exponential() : new Softmax(classes);
    return new Model(
        objective, features, Base.constant(new double[objective.outputs()]), List.of());
  }

  /** A model of rows with labels 0, 1, ... below {@code classes}; throws as {@link #extend}. */
  public AdaBoostFit fit(int classes, List<Feature> features, Rows rows) {
    return extend(untrained(classes, features), features, rows);
  }

  /**
   * Goes on from the raw scores of {@code model}, votes or not, by which the rows are weighed. New
   * trees are one segment; if none is any good, the model stays as long as it was. {@code features}
   * may have more categories than the model's.
   *
   * @throws IllegalArgumentException in one sentence, if the model's objective is neither
   *     exponential nor softmax, there are no rows, a label is no class, or model, features and
   *     rows do not fit each other
   */
  public AdaBoostFit extend(Model model, List<Feature> features, Rows rows) {
    Objective objective = model.objective();
    check(model, features, rows);
    int[] labels = new int[rows.size()];
    double totalWeight = 0;
    for (int row = 0; row < labels.length; row++) {
      labels[row] = (int) rows.label(row);
      totalWeight += rows.weight(row);
    }
    Model start = new Model(objective, features, model.base(), model.segments());
    RowWeights weights = RowWeights.after(objective, rows, Scorer.scoresOf(start, rows));
    List<Tree> trees = new ArrayList<>();
    List<Round> rounds = new ArrayList<>();
    int classes = objective.classes();
    try (Learner learner = learner(rows, features, labels, classes)) {
      for (int number = 0; number < settings.rounds(); number++) {
        VotingTree tree = grow(learner, weights, labels, classes, model.trees() + number);
        boolean[] wrong = tree.wrong(labels);
        double error = weights.error(wrong);
        if (VotingTree.worthless(error, classes)) {
          rounds.add(new Round(error, 0, tree.gini(), false));
          if (!settings.resample()) {
            break;
          }
        } else {
          double vote =
              error > 0
                  ? VotingTree.vote(error, classes)
                  : VotingTree.faultlessVote(totalWeight, classes);
          rounds.add(new Round(error, vote, tree.gini(), true));
          trees.add(tree.toTree(vote, objective.outputs(), rows));
          if (error == 0) {
            break;
          }
          weights.raise(wrong);
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException("training was interrupted after round " + (number + 1));
        }
      }
    }
    return new AdaBoostFit(trees.isEmpty() ? start : start.plus(new Segment(trees)), rounds);
  }

  private Learner learner(Rows rows, List<Feature> features, int[] labels, int classes) {
    BinnedRows binned =
        BinnedRows.of(
            rows,
            features,
            settings.maxBins(),
            new Buffers(),
            null,
            () -> CategoryTargets.ofClasses(rows, classes));
    return switch (settings.criterion()) {
      case GINI -> new GiniTrees(binned, labels, classes, settings);
      case ERROR -> new StumpSearch(binned, labels, classes, settings.minRows());
    };
  }

  private VotingTree grow(
      Learner learner, RowWeights weights, int[] labels, int classes, int number) {
    double[] masses = new double[labels.length];
    int[] times = new int[labels.length];
    if (settings.resample()) {
      // Hashed, not added: seeds one apart would give the same numbers, shifted.
      times = weights.draw(new SplittableRandom(mix(settings.seed() + mix(number))));
      for (int row = 0; row < masses.length; row++) {
        masses[row] = (double) times[row] / masses.length;
      }
    } else {
      Arrays.fill(times, 1);
      for (int row = 0; row < masses.length; row++) {
        masses[row] = weights.weight(row);
      }
    }
    return VotingTree.of(learner.grow(masses, times), masses, labels, classes);
  }

  /** The finisher of MurmurHash3. */
  private static long mix(long value) {
    long z = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return z ^ (z >>> 33);
  }

  private static void check(Model model, List<Feature> features, Rows rows) {
    Objective objective = model.objective();
    Check.that(
        objective instanceof Exponential || objective instanceof Softmax,
        "AdaBoost must go on from a model whose objective is exponential or softmax: %s",
        objective.name());
    model.checkContinuedBy(features, rows);
    objective.checkLabels(rows, "");
  }
}
