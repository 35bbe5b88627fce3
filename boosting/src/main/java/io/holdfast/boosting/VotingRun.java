package io.holdfast.boosting;

import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link Booster#extend} whose trees vote. All rounds are run at once; then their
 * losses are told one by one, and with rows held out the model is cut back to the best before
 * {@code patience} rounds that are no better, as gradient boosting does.
 */
final class VotingRun {
  private final BoosterSettings settings;
  private final AdaBoost votes;
  private final List<Feature> features;
  private final Rows rows;
  private final @Nullable EarlyStopping stopping;
  private final FitListener listener;
  private final List<AnchorLoss> losses = new ArrayList<>();
  private final List<Double> validationLosses = new ArrayList<>();
  private int bestRound;

  VotingRun(
      BoosterSettings settings,
      AdaBoost votes,
      List<Feature> features,
      Rows rows,
      @Nullable EarlyStopping stopping,
      FitListener listener) {
    this.settings = settings;
    this.votes = votes;
    this.features = features;
    this.rows = rows;
    this.stopping = stopping;
    this.listener = listener;
  }

  Fit extend(Model model) {
    Model start = new Model(model.objective(), features, model.base(), model.segments());
    Model voted = new AdaBooster(voting()).extend(start, features, rows).model();
    List<Tree> trees =
        voted.segments().size() == start.segments().size()
            ? List.of()
            : voted.segments().getLast().trees();
    ValidationScores training = new ValidationScores(rows, start);
    ValidationScores heldOut =
        stopping == null ? null : new ValidationScores(stopping.validation(), start);
    conclude(0, start, training, heldOut);
    for (int round = 1; round <= trees.size() && !exhausted(round - 1); round++) {
      List<Tree> grown = trees.subList(round - 1, round);
      training.add(grown);
      if (heldOut != null) {
        heldOut.add(grown);
      }
      conclude(round, start, training, heldOut);
    }
    List<Tree> kept = trees.subList(0, bestRound);
    Model longer = kept.isEmpty() ? start : start.plus(new Segment(kept));
    return new Fit(longer, losses, validationLosses, bestRound, 0);
  }

  private AdaBoostSettings voting() {
    return new AdaBoostSettings(
        settings.rounds(),
        settings.trees().maxDepth(),
        votes.criterion(),
        votes.resample(),
        settings.seed(),
        settings.trees().minRows(),
        settings.maxBins());
  }

  private double loss(Model start, double[] scores) {
    int size = rows.size();
    double[] one = new double[start.objective().outputs()];
    double sum = 0;
    for (int row = 0; row < size; row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * size + row];
      }
      sum += rows.weight(row) * start.objective().loss(rows.label(row), one);
    }
    return sum;
  }

  private void conclude(
      int round, Model start, ValidationScores training, @Nullable ValidationScores heldOut) {
    AnchorLoss loss = new AnchorLoss(loss(start, training.scores()), 0);
    losses.add(loss);
    listener.afterRound(round, loss);
    boolean best = true;
    if (stopping != null && heldOut != null) {
      double[] byEnvironment = stopping.losses(start.objective(), heldOut.scores());
      double held = stopping.criterion().of(byEnvironment);
      best = validationLosses.isEmpty() || held < validationLosses.get(bestRound);
      validationLosses.add(held);
      listener.afterValidation(round, held, byEnvironment);
    }
    if (best) {
      bestRound = round;
    }
  }

  private boolean exhausted(int round) {
    return stopping != null && round - bestRound >= stopping.patience();
  }
}
