package io.holdfast.boosting;

import io.holdfast.boosting.anchor.Projections;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.linear.Folds;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.linear.LinearFit;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import java.util.List;

/**
 * Chooses the strength of a linear base by cross-validation (docs/math.md, "The linear base"): of
 * the candidates the one whose fits lose least on the rows that they did not see, of equal ones the
 * stronger. Immutable.
 */
record LinearStrength(BoosterSettings settings, List<Feature> features) {
  /** Powers of the square root of 10, descending: each fit begins at the one before. */
  private static final int CANDIDATES = 13;

  private static final double STRONGEST = 100;

  /** The base with the strength that was chosen; with its own where there is nothing to try on. */
  LinearBase choose(LinearBase base, Folds folds, Objective objective, Rows rows) {
    double[] losses = new double[CANDIDATES];
    boolean tried = false;
    for (Folds.Fold fold : folds.of(rows, settings.seed())) {
      add(base, objective, rows.subset(fold.train()), rows.subset(fold.test()), losses);
      tried = true;
    }
    int best = 0;
    for (int candidate = 1; candidate < CANDIDATES; candidate++) {
      best = losses[candidate] < losses[best] ? candidate : best;
    }
    return tried && Double.isFinite(losses[best])
        ? new LinearBase(strength(best), base.l1Ratio())
        : new LinearBase(base.strength(), base.l1Ratio());
  }

  private static double strength(int candidate) {
    return STRONGEST * StrictMath.pow(10, -candidate / 2.0);
  }

  /** Adds what each candidate's fit to {@code train} loses on {@code test}. */
  private void add(LinearBase base, Objective objective, Rows train, Rows test, double[] losses) {
    List<Integer> directions = RoundTrees.directions(settings.monotone(), features);
    var anchor = Projections.of(train, settings.anchoring().design());
    Base start = Base.constant(new double[objective.outputs()]);
    for (int candidate = 0; candidate < CANDIDATES; candidate++) {
      var one = new LinearBase(strength(candidate), base.l1Ratio());
      var search = new LinearFit.Search(one, directions, start);
      LinearFit fit = LinearFit.of(objective, train, features, anchor, settings.gamma(), search);
      start = fit.base();
      Model model = new Model(fit.objective(), features, fit.base(), List.of());
      double[] scores = Scorer.scoresOf(model, test);
      losses[candidate] += EnvironmentLosses.total(fit.objective(), test, scores);
    }
  }
}
