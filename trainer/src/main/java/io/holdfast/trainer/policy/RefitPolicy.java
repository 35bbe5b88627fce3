package io.holdfast.trainer.policy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.model.Model;

/**
 * The trees that are there keep their shape and learn their leaf values again, as far as the refit
 * rate says, with the anchor's penalty where gamma is not 1; then it goes on as {@link
 * AppendPolicy} does.
 */
public record RefitPolicy() implements UpdatePolicy {

  @Override
  public TrainingRun train(Lesson lesson, Workspace workspace) {
    double kept = 1 - lesson.settings().update().upkeep().refitRate();
    Model parent = Growth.withFeatures(lesson.parent(), lesson);
    if (parent.trees() == 0 || kept == 1) {
      return Growth.of(lesson, parent, workspace);
    }
    Model refitted =
        new Booster(lesson.settings().booster())
            .refit(parent, MemoryWeights.of(lesson).weighted(lesson.rows()), kept)
            .model();
    return Growth.of(lesson, refitted, workspace).after(new TrainingRun.Refit(refitted, kept));
  }
}
