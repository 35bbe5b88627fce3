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
 * Rows and a model in, a longer model out. Stateless between calls, so safe to share, unless it was
 * given a {@link Workspace}. The result is a function of the arguments: same settings, model and
 * rows, same bits, on any machine.
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
    this(settings, Safeguard.ON);
  }

  /** As above, in these arrays: it is then owned by the thread that owns them. */
  public Booster(BoosterSettings settings, Workspace workspace) {
    this(settings, Safeguard.ON, workspace);
  }

  Booster(BoosterSettings settings, Safeguard safeguard) {
    this(settings, safeguard, null);
  }

  private Booster(BoosterSettings settings, Safeguard safeguard, @Nullable Workspace workspace) {
    this.settings = settings;
    this.safeguard = safeguard;
    this.workspace = workspace;
  }

  /** Version 0: no trees, raw scores 0. */
  public static Model untrained(BoosterSettings settings, List<Feature> features) {
    double[] zeros = new double[settings.objective().outputs()];
    return new Model(settings.objective().unfitted(), features, Base.constant(zeros), List.of());
  }

  /**
   * A new model fitted to the rows; as {@link #extend} does with an untrained one.
   *
   * @throws IllegalArgumentException in one sentence, as {@link #extend} does
   */
  public Fit fit(List<Feature> features, Rows rows) {
    return extend(untrained(settings, features), features, rows, FitListener.NONE);
  }

  /** As above, and tells of each round. */
  public Fit fit(List<Feature> features, Rows rows, FitListener listener) {
    return extend(untrained(settings, features), features, rows, listener);
  }

  /**
   * A new model fitted to the rows until it gets no better on others.
   *
   * @throws IllegalArgumentException in one sentence, as {@link #extend} does
   */
  public Fit fit(List<Feature> features, Rows rows, EarlyStopping stopping, FitListener listener) {
    return extend(untrained(settings, features), features, rows, stopping, listener);
  }

  /**
   * Appends {@code settings.rounds()} rounds of trees as one segment, with the anchor that the
   * settings describe, or with {@code settings.adaBoost()} at most so many trees that vote, which
   * know no anchor and go on from whatever base there is. Else a model without trees first gets its
   * base, and what else its objective learns from labels, fitted to the rows; if it is to be
   * linear, the search for it begins at the base that the model has. {@code features} may have more
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
    HoldOut holdOut = settings.holdOut();
    if (stopping == null && holdOut != null && holdOut.divides(rows)) {
      HoldOut.Divided divided = holdOut.divide(rows, settings.seed());
      return extend(model, features, divided.rows(), divided.stopping(), listener);
    }
    Workspace begun = begun();
    Projection anchor = Projections.of(rows, settings.anchoring().design(), begun.buffers());
    return extend(model, features, new Given(rows, anchor, null, stopping), listener, begun);
  }

  /** As above, with any anchor of as many rows. */
  public Fit extend(
      Model model,
      List<Feature> features,
      Rows rows,
      Projection anchor,
      @Nullable EarlyStopping stopping,
      FitListener listener) {
    return extend(model, features, new Given(rows, anchor, null, stopping), listener, begun());
  }

  /**
   * As the first, with the bins of earlier rows for as long as they are good: the rows are then
   * only mapped to them. {@link Fit#bins} says which bins the trees were grown on.
   */
  public Fit extend(
      Model model, List<Feature> features, KeptBins kept, Rows rows, FitListener listener) {
    HoldOut holdOut = settings.holdOut();
    if (holdOut == null || !holdOut.divides(rows)) {
      return extend(model, features, kept, rows, null, listener);
    }
    HoldOut.Divided divided = holdOut.divide(rows, settings.seed());
    return extend(model, features, kept, divided.rows(), divided.stopping(), listener);
  }

  private Fit extend(
      Model model,
      List<Feature> features,
      KeptBins kept,
      Rows rows,
      @Nullable EarlyStopping stopping,
      FitListener listener) {
    Workspace begun = begun();
    Projection anchor = Projections.of(rows, settings.anchoring().design(), begun.buffers());
    return extend(model, features, new Given(rows, anchor, kept, stopping), listener, begun);
  }

  /** What a run learns from, with the bins that it begins with and the rows that may end it. */
  private record Given(
      Rows rows, Projection anchor, @Nullable KeptBins kept, @Nullable EarlyStopping stopping) {}

  private Fit extend(
      Model model, List<Feature> features, Given given, FitListener listener, Workspace begun) {
    Rows rows = given.rows();
    Projection anchor = given.anchor();
    EarlyStopping stopping = given.stopping();
    check(model, features, rows, anchor, stopping);
    AdaBoost votes = settings.adaBoost();
    if (votes != null) {
      return new VotingRun(settings, votes, features, rows, stopping, listener).extend(model);
    }
    return new BoostingRun(
            settings, safeguard, features, rows, anchor, given.kept(), stopping, listener, begun)
        .extend(model);
  }

  /** For the run that begins. */
  private Workspace begun() {
    Workspace begun = workspace == null ? new Workspace() : workspace;
    begun.begin();
    return begun;
  }

  private void check(
      Model model,
      List<Feature> features,
      Rows rows,
      Projection anchor,
      @Nullable EarlyStopping stopping) {
    checkFeatures(model, features, rows);
    Check.that(
        anchor.rows() == rows.size(),
        "the anchor must have as many rows as there are to train on, %s: %s",
        rows.size(),
        anchor.rows());
    checkLabels(rows, "");
    if (stopping != null) {
      Check.that(
          stopping.validation().width() == rows.width(),
          "rows to validate on must have as many features as those to train on, %s: %s",
          rows.width(),
          stopping.validation().width());
      checkLabels(stopping.validation(), "validation ");
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
    Projection anchor = Projections.of(rows, settings.anchoring().design());
    return refit.anchored(model, rows, anchor, settings.gamma());
  }

  /** Leaf values for other gammas of trees that these settings grew, on rows with their anchor. */
  public static LeafLadder ladder(
      BoosterSettings settings, List<Feature> features, Rows rows, Projection anchor) {
    return new LeafLadder(
        leafSettings(settings), RoundTrees.directions(settings.monotone(), features), rows, anchor);
  }

  /**
   * Moves the constants of a model's base to where the anchor loss of these rows is least; see
   * {@link Recentring}.
   *
   * @throws IllegalArgumentException in one sentence, if rows and model do not fit each other
   */
  public Model recentre(Model model, Rows rows) {
    checkFeatures(model, model.features(), rows);
    return Recentring.of(
        model, rows, Projections.of(rows, settings.anchoring().design()), settings.gamma());
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

  private void checkLabels(Rows rows, String kind) {
    Objective objective = settings.objective();
    for (int row = 0; row < rows.size(); row++) {
      double label = rows.label(row);
      if (!objective.accepts(label)) { // the arguments are objects, so not for every row
        Check.that(
            false,
            "labels must be %s for %s: %srow %s has %s",
            objective.labelRule(),
            objective.name(),
            kind,
            row,
            label);
      }
    }
  }
}
