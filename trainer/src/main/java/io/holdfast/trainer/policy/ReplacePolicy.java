package io.holdfast.trainer.policy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.trainer.rows.WindowRows;
import java.util.Map;

/**
 * A fresh ensemble is trained on memory without the window and compared with the present one on the
 * window, which neither has seen. If it was better over the last windows, a fresh one trained on
 * all rows takes over; else trees are appended. Stateless.
 */
final class ReplacePolicy {
  /*
   * Advantages fade by half from window to window, so that one lucky window does not throw a good
   * ensemble away, unless it is much the luckier. A drift event forgets the past: then the one window
   * decides. The fresh one has the rounds of several updates, as it learns all at once.
   */
  private static final String ADVANTAGE = "replaceAdvantage";
  private static final double FADE = 0.5;
  private static final int UPDATES = 5;
  private static final int FEWEST_ROWS = 50;

  private ReplacePolicy() {}

  static TrainingRun train(UpdateContext context, Workspace workspace) {
    WindowRows rows = context.rows();
    Rows window = rows.window();
    int memory = rows.size() - window.size();
    if (memory < FEWEST_ROWS || window.size() == 0 || context.parent().trees() == 0) {
      return AppendTrees.append(context, workspace);
    }
    Model present = AppendTrees.withFeatures(context.parent(), context);
    Booster booster = fresh(context, workspace);
    Model rival = booster.fit(present.features(), rows.newest(memory, window.size())).model();
    double advantage = loss(present, window) - loss(rival, window);
    double before =
        context.drift().replace() ? 0 : context.remembered().getOrDefault(ADVANTAGE, 0.0);
    double faded = FADE * before + advantage;
    if (!(faded > 0 && advantage > 0)) {
      return AppendTrees.to(context.parent(), null, context, workspace, Map.of(ADVANTAGE, faded));
    }
    MemoryWeights weights = MemoryWeights.of(context);
    Rows all = weights.weighted(rows);
    Fit fit = booster.fit(present.features(), all);
    int dropped = present.segments().size();
    Map<String, Double> remembered = weights.with(Map.of("replaced", 1.0));
    return TrainingRun.of(fit, all, context.seed(), dropped, 0, remembered, null);
  }

  private static Booster fresh(UpdateContext context, Workspace workspace) {
    ModelSettings settings = context.settings();
    BoosterSettings booster = settings.booster();
    int treesOfRound = settings.treesOfUpdate() / booster.rounds();
    int rounds = Math.min(UPDATES * booster.rounds(), settings.update().maxTrees() / treesOfRound);
    return new Booster(booster.toBuilder().rounds(rounds).seed(context.seed()).build(), workspace);
  }

  private static double loss(Model model, Rows rows) {
    double[] scores = Scorer.scoresOf(model, rows);
    Objective objective = model.objective();
    double[] one = new double[objective.outputs()];
    double loss = 0;
    double weight = 0;
    for (int row = 0; row < rows.size(); row++) {
      for (int k = 0; k < one.length; k++) {
        one[k] = scores[k * rows.size() + row];
      }
      loss += rows.weight(row) * objective.loss(rows.label(row), one);
      weight += rows.weight(row);
    }
    return loss / weight;
  }
}
