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
import java.util.Map;
import java.util.TreeMap;

/**
 * A fresh ensemble is trained on memory without the window and held against the present one on the
 * window, which neither has seen. If it was better over the last windows, a fresh one of all rows
 * takes over; else it goes on as {@link AppendPolicy} does.
 */
public record ReplacePolicy() implements UpdatePolicy {
  /*
   * Losses of windows fade by half from one to the next, so that one lucky window does not throw a
   * good ensemble away, unless it is much the luckier. A drift event forgets the past: then the one
   * window decides. The fresh one has the rounds of several updates, as it learns all at once.
   */
  private static final String ADVANTAGE = "replaceAdvantage";
  private static final double FADE = 0.5;
  private static final int UPDATES = 5;
  private static final int FEWEST_ROWS = 50;

  @Override
  public TrainingRun train(Lesson lesson, Workspace workspace) {
    LessonRows rows = lesson.rows();
    Rows window = rows.window();
    int memory = rows.size() - window.size();
    if (memory < FEWEST_ROWS || window.size() == 0 || lesson.parent().trees() == 0) {
      return Growth.of(lesson, lesson.parent(), workspace);
    }
    Model present = Growth.withFeatures(lesson.parent(), lesson);
    Booster booster = fresh(lesson, workspace);
    Model rival = booster.fit(present.features(), rows.newest(memory, window.size())).model();
    double advantage = loss(present, window) - loss(rival, window);
    double before = lesson.drift().replace() ? 0 : lesson.remembered().getOrDefault(ADVANTAGE, 0.0);
    double faded = FADE * before + advantage;
    if (!(faded > 0 && advantage > 0)) {
      return Growth.of(lesson, lesson.parent(), workspace, Map.of(ADVANTAGE, faded));
    }
    MemoryWeights weights = MemoryWeights.of(lesson);
    Rows all = weights.weighted(rows);
    Fit fit = booster.fit(present.features(), all);
    TreeMap<String, Double> remembered = new TreeMap<>(weights.metrics());
    remembered.put("replaced", 1.0);
    Growth.noteBase(fit, remembered);
    return new TrainingRun(
        fit.model(),
        all,
        lesson.seed(),
        present.segments().size(),
        fit.model().trees(),
        fit.losses().getFirst(),
        fit.losses().getLast(),
        fit.safeguards(),
        remembered);
  }

  private static Booster fresh(Lesson lesson, Workspace workspace) {
    ModelSettings settings = lesson.settings();
    BoosterSettings booster = settings.booster();
    int treesOfRound = settings.treesOfUpdate() / booster.rounds();
    int rounds = Math.min(UPDATES * booster.rounds(), settings.update().maxTrees() / treesOfRound);
    return new Booster(booster.toBuilder().rounds(rounds).seed(lesson.seed()).build(), workspace);
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
