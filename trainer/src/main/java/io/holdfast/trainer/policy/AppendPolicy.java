package io.holdfast.trainer.policy;

import io.holdfast.boosting.Workspace;

/** Old segments leave over the tree budget, and new trees are appended to what remains. */
public record AppendPolicy() implements UpdatePolicy {

  @Override
  public TrainingRun train(Lesson lesson, Workspace workspace) {
    return Growth.of(lesson, lesson.parent(), workspace);
  }
}
