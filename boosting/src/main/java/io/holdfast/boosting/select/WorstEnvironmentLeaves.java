package io.holdfast.boosting.select;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;

/**
 * Keeps a model's trees and moves their leaf values towards the least loss of the environment that
 * loses most, after training. Immutable and stateless.
 *
 * <p>In each of {@code steps} turns the environments' shares of the weight move towards those that
 * lose most, and the leaf values take {@code rate} of a refit on rows of those weights. Of all
 * models, the given one among them, the one whose worst environment loses least is kept.
 *
 * @param steps turns, 1 or more
 * @param rate how much of each refit is taken, above 0 and at most 1
 * @param step how fast shares move: by {@code exp(step · loss / mean loss of the given model)}
 */
public record WorstEnvironmentLeaves(int steps, double rate, double step) {
  /** 20 turns of half a refit. */
  public static final WorstEnvironmentLeaves DEFAULT = new WorstEnvironmentLeaves(20, 0.5, 1);

  public WorstEnvironmentLeaves {
    Check.that(steps >= 1, "steps must be at least 1: %s", steps);
    Check.that(rate > 0 && rate <= 1, "rate must be above 0 and at most 1: %s", rate);
    Check.that(
        step > 0 && step < Double.POSITIVE_INFINITY, "step must be above 0 and finite: %s", step);
  }

  /**
   * What was found.
   *
   * @param model of the same trees
   * @param before the highest mean excess loss of an environment with the given model
   * @param after the same with the new one; never more
   */
  public record Moved(Model model, double before, double after) {}

  /** The model with other leaf values; the gamma of its settings counts as 1. */
  public Moved of(BoosterSettings settings, Model model, Rows rows) {
    Booster booster = new Booster(settings.toBuilder().gamma(1).build());
    EnvironmentWeights weights = new EnvironmentWeights(rows);
    double[] losses = EnvironmentWeights.losses(model, rows);
    double before = new Criterion.Worst().of(losses);
    double scale = EnvironmentWeights.mean(losses);
    Model best = model;
    double least = before;
    Model present = model;
    for (int turn = 0; turn < steps && scale > 0; turn++) {
      weights.move(losses, step, scale);
      present = booster.refit(present, weights.weighted(), 1 - rate).model();
      losses = EnvironmentWeights.losses(present, rows);
      double worst = new Criterion.Worst().of(losses);
      if (worst < least) { // NaN never is
        least = worst;
        best = present;
      }
    }
    return new Moved(best, before, least);
  }
}
