package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.linear.Folds;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.linear.LinearFit;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.numeric.Workers;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** One call of {@link Booster#extend}. Owned by one thread; one use each. */
final class BoostingRun {
  /*
   * A round (docs/math.md, "A round"): gradients of the anchor objective and hessians without the
   * anchor's part grow a tree, or one a class; a Newton step with the anchor's part over all their
   * leaves at once gives leaf values; the scores move on; then what the objective learns from
   * labels takes its own step.
   */
  private static final int BLOCK = 512; // rows that are scored at once

  private final BoosterSettings settings;
  private final Safeguard safeguard;
  private final Booster.Input input;
  private final List<Feature> features;
  private final Rows rows;
  private final Workspace workspace;
  private List<String> leftOut = List.of();
  private @Nullable Double linearStrength;

  BoostingRun(
      BoosterSettings settings, Safeguard safeguard, Booster.Input input, Workspace workspace) {
    this.settings = settings;
    this.safeguard = safeguard;
    this.input = input;
    features = input.features();
    rows = input.rows();
    this.workspace = workspace;
  }

  Fit extend(Model model) {
    Model start = start(model);
    try (Workers workers = new Workers(settings.threads())) {
      return fit(start, workers);
    }
  }

  private Model start(Model model) {
    if (model.trees() > 0) {
      return new Model(model.objective(), features, model.base(), model.segments());
    }
    Objective objective = settings.objective().fittedTo(rows);
    double[] initial = objective.initialScores(rows);
    for (double score : initial) {
      Check.that(
          Double.isFinite(score),
          "the labels must be small enough for a finite %s score to start from: it is %s",
          objective.name(),
          score);
    }
    LinearBase linear = settings.linearBase();
    if (linear != null) {
      Folds folds = linear.chosenBy();
      if (folds != null) {
        linear = new LinearStrength(settings, features).choose(linear, folds, objective, rows);
        linearStrength = linear.strength();
      }
      List<Integer> directions = RoundTrees.directions(settings.monotone(), features);
      var search = new LinearFit.Search(linear, directions, model.base());
      LinearFit fit =
          LinearFit.of(objective, rows, features, input.anchor(), settings.gamma(), search);
      leftOut = fit.leftOut().stream().map(feature -> features.get(feature).name()).toList();
      return new Model(fit.objective(), features, fit.base(), model.segments());
    }
    return new Model(objective, features, Base.constant(initial), model.segments());
  }

  private Fit fit(Model start, Workers workers) {
    var anchored =
        new AnchorObjective(
            start.objective(),
            rows,
            input.anchor(),
            settings.gamma(),
            workspace.buffers(),
            workers);
    var solver =
        new LeafSolver(anchored, scores(start, workers), Booster.leafSettings(settings), safeguard);
    Check.that(
        Double.isFinite(solver.state().loss().total()),
        "the labels must be small enough for a finite %s loss: it is %s before the first round",
        settings.objective().name(),
        solver.state().loss().total());
    var progress = new RoundLosses(input.stopping(), input.listener(), start);
    Bins bins;
    try (RoundTrees round =
        new RoundTrees(
            settings, features, rows, solver.state(), input.kept(), workspace, workers)) {
      bins = round.bins();
      progress.conclude(0, solver.state().loss(), solver.objective());
      for (int number = 1;
          number <= settings.rounds() && !progress.exhausted(number - 1);
          number++) {
        checkInterrupt(number - 1);
        List<TreeStructure> structures = round.grow(solver.state(), number);
        List<Tree> grown = round.trees(structures, solver.solve(structures));
        round.recycle(structures);
        solver.refitObjective(rows);
        progress.add(grown);
        progress.conclude(number, solver.state().loss(), solver.objective());
      }
    }
    return progress.fit(solver.safeguards(), leftOut, linearStrength, bins);
  }

  /** The raw scores of the rows before the first round. */
  private double[] scores(Model start, Workers workers) {
    Base base = start.base();
    int size = rows.size();
    double[] scores = workspace.buffers().doubles(Math.multiplyExact(base.outputs(), size));
    if (start.trees() == 0 && base.terms().isEmpty()) {
      for (int output = 0; output < base.outputs(); output++) {
        Arrays.fill(scores, output * size, (output + 1) * size, base.intercept(output));
      }
      return scores;
    }
    Scorer scorer = Scorer.ofRows(start, size);
    double[][] features = workspace.buffers().doubles(workers.count(), BLOCK * scorer.width());
    workers.rows(0, size, (worker, from, to) -> score(scorer, from, to, features[worker], scores));
    return scores;
  }

  private void score(Scorer scorer, int start, int end, double[] features, double[] scores) {
    int size = rows.size();
    int outputs = scorer.outputs();
    double[] block = new double[BLOCK * outputs];
    double[] row = new double[scorer.width()];
    for (int from = start; from < end; from += BLOCK) {
      int count = Math.min(BLOCK, end - from);
      for (int k = 0; k < count; k++) {
        rows.copyFeatures(from + k, row);
        System.arraycopy(row, 0, features, k * row.length, row.length);
      }
      scorer.scores(features, count, block);
      for (int output = 0; output < outputs; output++) {
        System.arraycopy(block, output * count, scores, output * size + from, count);
      }
    }
  }

  private static void checkInterrupt(int round) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("training was interrupted after round " + round);
    }
  }
}
