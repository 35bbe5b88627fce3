package io.holdfast.boosting;

import io.holdfast.boosting.anchor.AnchorObjective;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafSolver;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.tree.TreeGrower;
import io.holdfast.boosting.tree.TreeStructure;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows and a model in, a longer model out. Stateless between calls, so safe to share. The result is
 * a function of the arguments: same settings, model and rows, same bits, on any machine.
 */
public final class Booster {
  /*
   * A round (docs/math.md, section 3): gradients of the anchor objective and hessians without the
   * anchor's part grow a tree; a Newton step with the anchor's part over all its leaves at once
   * gives their values; the scores move on.
   */
  private final BoosterSettings settings;
  private final Safeguard safeguard;

  public Booster(BoosterSettings settings) {
    this(settings, Safeguard.ON);
  }

  Booster(BoosterSettings settings, Safeguard safeguard) {
    this.settings = settings;
    this.safeguard = safeguard;
  }

  /** Version 0: no trees, raw score 0. */
  public static Model untrained(BoosterSettings settings, List<Feature> features) {
    double[] zeros = new double[settings.objective().outputs()];
    return new Model(settings.objective(), features, Base.constant(zeros), List.of());
  }

  /**
   * Appends {@code settings.rounds()} trees as one segment, the rows' environments being the
   * anchor. A model without trees first gets its base fitted to the rows. {@code features} may have
   * more categories than the model's, and become the longer model's.
   *
   * @throws IllegalArgumentException in one sentence, if there are no rows, for labels the
   *     objective does not accept, or if model, features and rows do not fit each other
   */
  public Fit extend(Model model, List<Feature> features, Rows rows, FitListener listener) {
    return extend(model, features, rows, GroupMeans.ofEnvironments(rows), listener);
  }

  /** As above, with any anchor of as many rows. */
  public Fit extend(
      Model model, List<Feature> features, Rows rows, Projection anchor, FitListener listener) {
    checkFeatures(model, features, rows);
    Check.that(
        anchor.rows() == rows.size(),
        "the anchor must have as many rows as there are to train on, %s: %s",
        rows.size(),
        anchor.rows());
    checkLabels(rows);
    Base base =
        model.trees() == 0 ? Base.constant(settings.objective().initialScores(rows)) : model.base();
    Model start = new Model(model.objective(), features, base, model.segments());
    var objective = new AnchorObjective(settings.objective(), rows, anchor, settings.gamma());
    var solver =
        new LeafSolver(
            objective,
            Scorer.of(start).scores(rows),
            settings.learningRate(),
            settings.lambda(),
            safeguard);
    var grower =
        new TreeGrower(
            BinnedRows.of(rows, features, settings.maxBins()), settings.trees(), settings.lambda());
    AnchorLoss loss = solver.state().loss();
    Check.that(
        Double.isFinite(loss.total()),
        "the labels must be small enough for a finite %s loss: it is %s before the first round",
        settings.objective().name(),
        loss.total());
    List<AnchorLoss> losses = new ArrayList<>();
    losses.add(loss);
    listener.afterRound(0, loss);
    List<Tree> trees = new ArrayList<>();
    double[] gradients = new double[rows.size()];
    double[] hessians = new double[rows.size()];
    for (int round = 1; round <= settings.rounds(); round++) {
      solver.state().gradients(gradients);
      solver.state().hessians(hessians);
      TreeStructure tree = grower.grow(gradients, hessians);
      trees.add(tree.withLeafValues(solver.solve(tree)));
      losses.add(solver.state().loss());
      listener.afterRound(round, solver.state().loss());
    }
    return new Fit(start.plus(new Segment(trees)), losses, solver.safeguards());
  }

  private void checkFeatures(Model model, List<Feature> features, Rows rows) {
    Check.that(rows.size() >= 1, "there must be at least 1 row to train on: %s", rows.size());
    Check.that(
        model.objective().equals(settings.objective()),
        "the model's objective must be %s, as the settings say: %s",
        settings.objective().name(),
        model.objective().name());
    Check.that(
        rows.width() == features.size(),
        "rows must have as many values as there are features, %s: %s",
        features.size(),
        rows.width());
    Check.that(
        features.size() == model.features().size(),
        "there must be as many features as the model has, %s: %s",
        model.features().size(),
        features.size());
    for (int column = 0; column < features.size(); column++) {
      Feature now = features.get(column);
      Check.that(
          now.extendsOlder(model.features().get(column)),
          "feature %s, %s, must have the name, type and first categories of the model's, %s",
          column,
          now.name(),
          model.features().get(column).name());
    }
  }

  private void checkLabels(Rows rows) {
    Objective objective = settings.objective();
    for (int row = 0; row < rows.size(); row++) {
      double label = rows.label(row);
      Check.that(
          objective.accepts(label),
          "labels must be %s for %s: row %s has %s",
          objective.labelRule(),
          objective.name(),
          row,
          label);
    }
  }
}
