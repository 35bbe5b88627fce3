package io.holdfast.boosting;

import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.anchor.Projections;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.leaf.LeafLadder;
import io.holdfast.boosting.leaf.LeafRefit;
import io.holdfast.boosting.leaf.LeafSettings;
import io.holdfast.boosting.leaf.LeafSolver.Safeguard;
import io.holdfast.boosting.leaf.Recentring;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows and a model in, a longer model out. Stateless, so safe to share, unless it was given a
 * {@link Workspace}. Same settings, model and rows give the same bits, on any machine.
 *
 * <p>To stop training, interrupt its thread: it ends after the round at hand, with a {@link
 * java.util.concurrent.CancellationException}, and the interrupt stays set.
 */
public final class Booster {
  private final BoosterSettings settings;
  private final Safeguard safeguard;
  private final @Nullable Workspace workspace;

  /** A booster that trains as these settings say. */
  public Booster(BoosterSettings settings) {
    this(settings, Safeguard.ON, null);
  }

  /** As above, in these arrays: it is then owned by the thread that owns them. */
  public Booster(BoosterSettings settings, Workspace workspace) {
    this(settings, Safeguard.ON, workspace);
  }

  Booster(BoosterSettings settings, Safeguard safeguard, @Nullable Workspace workspace) {
    this.settings = settings;
    this.safeguard = safeguard;
    this.workspace = workspace;
  }

  /** Version 0: no trees, raw scores 0. */
  public static Model untrained(BoosterSettings settings, List<Feature> features) {
    double[] zeros = new double[settings.objective().outputs()];
    return new Model(settings.objective().unfitted(), features, Base.constant(zeros), List.of());
  }

  /** A new model fitted to the rows, as {@link #extend} does with an untrained one. */
  public Fit fit(List<Feature> features, Rows rows) {
    return extend(untrained(settings, features), features, rows, FitListener.NONE);
  }

  /** A new model fitted to the rows until it gets no better on others. */
  public Fit fit(List<Feature> features, Rows rows, EarlyStopping stopping, FitListener listener) {
    return extend(untrained(settings, features), features, rows, stopping, listener);
  }

  /**
   * Appends {@code settings.rounds()} rounds of trees as one segment; a model without trees first
   * gets its base, and what else its objective learns from labels, fitted to the rows (the search
   * for a linear base begins at the model's). With {@code settings.adaBoost()} it appends at most
   * so many trees that vote, without anchor, and keeps the base. {@code features} may have more
   * categories than the model's, and become the longer model's.
   *
   * @throws IllegalArgumentException in one sentence, if there are no rows, for labels the
   *     objective does not accept, or if model, features and rows do not fit each other
   */
  public Fit extend(Model model, List<Feature> features, Rows rows, FitListener listener) {
    return extend(model, features, rows, null, listener);
  }

  /** As above, and stops early if {@code stopping} is given. */
  public Fit extend(
      Model model,
      List<Feature> features,
      Rows rows,
      @Nullable EarlyStopping stopping,
      FitListener listener) {
    return extend(model, features, null, rows, stopping, listener);
  }

  /**
   * As the first, with the bins of earlier rows for as long as they are good: the rows are then
   * only mapped to them. {@link Fit#bins} says which bins the trees were grown on.
   */
  public Fit extend(
      Model model, List<Feature> features, KeptBins kept, Rows rows, FitListener listener) {
    return extend(model, features, kept, rows, null, listener);
  }

  private Fit extend(
      Model model,
      List<Feature> features,
      @Nullable KeptBins kept,
      Rows rows,
      @Nullable EarlyStopping stopping,
      FitListener listener) {
    HoldOut holdOut = settings.holdOut();
    if (stopping == null && holdOut != null && holdOut.divides(rows)) {
      HoldOut.Divided divided = holdOut.divide(rows, settings.seed());
      return extend(model, features, kept, divided.rows(), divided.stopping(), listener);
    }
    Workspace run = workspace == null ? new Workspace() : workspace;
    run.begin();
    Rows weighted = settings.weighted(rows, "");
    Projection anchor = Projections.of(weighted, settings.anchoring().design(), run.buffers());
    EarlyStopping ending = stopping == null ? null : stopping.weighted(settings);
    return extend(model, new Input(features, weighted, anchor, kept, ending, listener), run);
  }

  /**
   * What a run learns from and whom it tells.
   *
   * @param anchor of as many rows
   * @param kept bins to begin with
   * @param stopping the rows that may end it
   */
  record Input(
      List<Feature> features,
      Rows rows,
      Projection anchor,
      @Nullable KeptBins kept,
      @Nullable EarlyStopping stopping,
      FitListener listener) {}

  Fit extend(Model model, Input input, Workspace run) {
    check(model, input);
    AdaBoost votes = settings.adaBoost();
    return votes == null
        ? new BoostingRun(settings, safeguard, input, run).extend(model)
        : new VotingRun(settings, votes, input).extend(model);
  }

  private void check(Model model, Input input) {
    Rows rows = input.rows();
    checkFeatures(model, input.features(), rows);
    Check.that(
        input.anchor().rows() == rows.size(),
        "the anchor must have as many rows as there are to train on, %s: %s",
        rows.size(),
        input.anchor().rows());
    settings.objective().checkLabels(rows, "");
    if (input.stopping() != null) {
      Rows validation = input.stopping().validation();
      Check.that(
          validation.width() == rows.width(),
          "rows to validate on must have as many features as those to train on, %s: %s",
          rows.width(),
          validation.width());
      settings.objective().checkLabels(validation, "validation ");
    }
  }

  /**
   * Keeps a model's trees and learns their leaf values again from other rows, with the learning
   * rate, penalties, monotone features and anchor of these settings; see {@link LeafRefit}, which
   * also says what {@code gamma} 1, the published refit, leaves out.
   *
   * @param decay how much of the old values stays, from 0 to 1
   * @throws IllegalArgumentException in one sentence, if rows and model do not fit each other, or
   *     with AdaBoost, whose votes no Newton step learns
   */
  public LeafRefit.Refitted refit(Model model, Rows rows, double decay) {
    Check.that(
        settings.adaBoost() == null,
        "a refit needs gradient boosting, for the votes of AdaBoost are no Newton steps");
    checkFeatures(model, model.features(), rows);
    var refit =
        new LeafRefit(
            leafSettings(settings),
            RoundTrees.directions(settings.monotone(), model.features()),
            decay);
    Rows weighted = settings.weighted(rows, "");
    Projection anchor = Projections.of(weighted, settings.anchoring().design());
    return refit.anchored(model, weighted, anchor, settings.gamma());
  }

  /** Leaf values for other gammas of trees that these settings grew, on rows with their anchor. */
  public static LeafLadder ladder(
      BoosterSettings settings, List<Feature> features, Rows rows, Projection anchor) {
    return new LeafLadder(
        leafSettings(settings), RoundTrees.directions(settings.monotone(), features), rows, anchor);
  }

  /** Moves the constants of a model's base to least anchor loss; see {@link Recentring}. */
  public Model recentre(Model model, Rows rows) {
    checkFeatures(model, model.features(), rows);
    Rows weighted = settings.weighted(rows, "");
    Projection anchor = Projections.of(weighted, settings.anchoring().design());
    return Recentring.of(model, weighted, anchor, settings.gamma());
  }

  static LeafSettings leafSettings(BoosterSettings settings) {
    return new LeafSettings(
        settings.learningRate(),
        settings.penalties().lambda1(),
        settings.penalties().lambda2(),
        settings.step());
  }

  private void checkFeatures(Model model, List<Feature> features, Rows rows) {
    Check.that(
        model.objective().unfitted().equals(settings.objective().unfitted()),
        "the model's objective must be %s, as the settings say: %s",
        described(settings.objective()),
        described(model.objective()));
    model.checkContinuedBy(features, rows);
    settings.monotone().keySet().forEach(name -> checkMonotone(name, features));
    for (String name : settings.interactions().keySet()) {
      Check.that(
          features.stream().anyMatch(feature -> feature.name().equals(name)),
          "a feature of a group must be one of the features: %s",
          name);
    }
  }

  private static String described(Objective objective) {
    Map<String, Double> parameters = objective.unfitted().parameters();
    return parameters.isEmpty() ? objective.name() : objective.name() + " " + parameters;
  }

  private static void checkMonotone(String name, List<Feature> features) {
    Check.that(
        features.stream()
            .anyMatch(feature -> feature instanceof Feature.Numeric && feature.name().equals(name)),
        "a monotone feature must be one of the numeric features: %s",
        name);
  }
}
