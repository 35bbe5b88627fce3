package io.holdfast.trainer.policy;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.schemas.settings.ModelSettings;

/** Old segments leave over the tree budget, and new trees are appended to what remains. */
public record AppendPolicy() implements UpdatePolicy {

  @Override
  public TrainingRun train(Lesson lesson, Workspace workspace) {
    ModelSettings settings = lesson.settings();
    Model parent = lesson.parent();
    long seed = TrainingRun.seed(settings, lesson.version());
    int dropped = segmentsOverBudget(parent, settings);
    Model remaining =
        new Model(
            parent.objective(),
            parent.features(),
            parent.base(),
            parent.segments().subList(dropped, parent.segments().size()));
    Fit fit =
        new Booster(settings.booster().toBuilder().seed(seed).build(), workspace)
            .extend(remaining, lesson.features(), lesson.rows(), FitListener.NONE);
    return new TrainingRun(
        fit.model(),
        seed,
        dropped,
        fit.model().trees() - remaining.trees(),
        fit.losses().getFirst(),
        fit.losses().getLast(),
        fit.safeguards());
  }

  private static int segmentsOverBudget(Model parent, ModelSettings settings) {
    int trees = parent.trees() + settings.treesOfUpdate();
    int dropped = 0;
    for (Segment segment : parent.segments()) {
      if (trees <= settings.update().maxTrees()) {
        break;
      }
      trees -= segment.trees().size();
      dropped++;
    }
    return dropped;
  }
}
