package io.holdfast.trainer.policy;

import io.holdfast.boosting.Workspace;

/** Makes the next model of a lesson. Stateless: what it remembers stands in the run's metrics. */
public sealed interface UpdatePolicy permits AppendPolicy {

  /**
   * Trains, in arrays that change no bit of the result.
   *
   * @throws IllegalArgumentException in one sentence, if the rows cannot be trained on together
   */
  TrainingRun train(Lesson lesson, Workspace workspace);
}
