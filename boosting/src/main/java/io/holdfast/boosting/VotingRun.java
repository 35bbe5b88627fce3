package io.holdfast.boosting;

import io.holdfast.boosting.RoundLosses.ValidationScores;
import io.holdfast.boosting.ada.AdaBoost;
import io.holdfast.boosting.ada.AdaBoostSettings;
import io.holdfast.boosting.ada.AdaBooster;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Tree;
import java.util.List;

/**
 * One call of {@link Booster#extend} whose trees vote. All rounds are run at once; then their
 * losses are told one by one, and the model is cut back to its best round as in gradient boosting.
 */
record VotingRun(BoosterSettings settings, AdaBoost votes, Booster.Input input) {

  Fit extend(Model model) {
    Model start = new Model(model.objective(), input.features(), model.base(), model.segments());
    Rows rows = input.rows();
    Model voted = new AdaBooster(voting()).extend(start, input.features(), rows).model();
    List<Tree> trees =
        voted.segments().size() == start.segments().size()
            ? List.of()
            : voted.segments().getLast().trees();
    ValidationScores training = new ValidationScores(rows, start);
    var progress = new RoundLosses(input.stopping(), input.listener(), start);
    progress.conclude(0, loss(start, training), start.objective());
    for (int round = 1; round <= trees.size() && !progress.exhausted(round - 1); round++) {
      List<Tree> grown = trees.subList(round - 1, round);
      training.add(grown);
      progress.add(grown);
      progress.conclude(round, loss(start, training), start.objective());
    }
    return progress.fit(0, List.of(), null, null);
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

  private AnchorLoss loss(Model start, ValidationScores scores) {
    return new AnchorLoss(start.objective().totalLoss(input.rows(), scores.scores()), 0);
  }
}
