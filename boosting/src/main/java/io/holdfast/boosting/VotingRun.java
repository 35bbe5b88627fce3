package io.holdfast.boosting;

import io.holdfast.boosting.RoundLosses.ValidationScores;
import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
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
    var progress = new RoundLosses(stopping, listener, start);
    progress.conclude(0, loss(start, training.scores()), start.objective());
    for (int round = 1; round <= trees.size() && !progress.exhausted(round - 1); round++) {
      List<Tree> grown = trees.subList(round - 1, round);
      training.add(grown);
      progress.add(grown);
      progress.conclude(round, loss(start, training.scores()), start.objective());
    }
    List<Tree> kept = trees.subList(0, progress.bestRound());
    Model longer = kept.isEmpty() ? start : start.plus(new Segment(kept));
    return new Fit(longer, progress.losses(), progress.validationLosses(), progress.bestRound(), 0);
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

  private AnchorLoss loss(Model start, double[] scores) {
    int size = rows.size();
    double[] one = new double[start.objective().outputs()];
    double sum = 0;
    for (int row = 0; row < size; row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * size + row];
      }
      sum += rows.weight(row) * start.objective().loss(rows.label(row), one);
    }
    return new AnchorLoss(sum, 0);
  }
}
