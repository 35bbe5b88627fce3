package io.holdfast.trainer.policy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.data.KeptBins;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.settings.ModelSettings;
import java.util.Map;
import java.util.TreeMap;

/** What most policies end with: trees leave over budget, the base moves, new trees come. */
final class Growth {
  private Growth() {}

  static TrainingRun of(Lesson lesson, Model prepared, Workspace workspace) {
    return of(lesson, prepared, workspace, Map.of());
  }

  /**
   * Grows the model that a policy has prepared.
   *
   * @param remembered what the policy itself wants to remember
   */
  static TrainingRun of(
      Lesson lesson, Model prepared, Workspace workspace, Map<String, Double> remembered) {
    ModelSettings settings = lesson.settings();
    MemoryWeights memory = MemoryWeights.of(lesson);
    Rows rows = memory.weighted(lesson.rows());
    Model parent = withFeatures(prepared, lesson);
    Model remaining = Eviction.of(settings, parent, lesson.rows().window());
    var booster =
        new Booster(settings.booster().toBuilder().seed(lesson.seed()).build(), workspace);
    if (settings.update().upkeep().recentre() && remaining.trees() > 0) {
      remaining = booster.recentre(remaining, rows);
    }
    KeptBins kept = lesson.kept();
    Fit fit =
        kept == null
            ? booster.extend(remaining, remaining.features(), rows, FitListener.NONE)
            : booster.extend(remaining, remaining.features(), kept, rows, FitListener.NONE);
    TreeMap<String, Double> all = new TreeMap<>(memory.metrics());
    all.putAll(remembered);
    noteBase(fit, all);
    return new TrainingRun(
        fit.model(),
        rows,
        lesson.seed(),
        parent.segments().size() - remaining.segments().size(),
        fit.model().trees() - remaining.trees(),
        fit.losses().getFirst(),
        fit.losses().getLast(),
        fit.safeguards(),
        all,
        null,
        fit.bins());
  }

  /**
   * How many features a new linear base goes without, though they vary, and its strength if that
   * was chosen.
   */
  static void noteBase(Fit fit, Map<String, Double> metrics) {
    if (!fit.leftOut().isEmpty()) {
      metrics.put("linearLeftOut", (double) fit.leftOut().size());
    }
    Double strength = fit.linearStrength();
    if (strength != null) {
      metrics.put("linearStrength", strength);
    }
  }

  /** The model for features with the categories that were met since; all rows are decoded. */
  static Model withFeatures(Model model, Lesson lesson) {
    lesson.rows().all();
    return new Model(model.objective(), lesson.features().get(), model.base(), model.segments());
  }
}
