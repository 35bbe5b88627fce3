package io.holdfast.trainer.policy;

import io.holdfast.boosting.Workspace;
import io.holdfast.schemas.settings.ModelSettings;

/**
 * Makes the next model of a lesson, a function of the lesson: what it remembers stands in the run's
 * metrics, and all that it keeps beside spares reading them. Owned by the training thread.
 */
public sealed interface UpdatePolicy
    permits AppendPolicy, DecayPolicy, RefitPolicy, ReplacePolicy, AutoPolicy {

  /**
   * Trains, in arrays that change no bit of the result.
   *
   * @throws IllegalArgumentException in one sentence, if the rows cannot be trained on together
   */
  TrainingRun train(Lesson lesson, Workspace workspace);

  /** The policy that the settings name. */
  static UpdatePolicy of(ModelSettings settings) {
    return switch (settings.update().policy()) {
      case "append" -> new AppendPolicy();
      case "decay" -> new DecayPolicy();
      case "refit" -> new RefitPolicy();
      case "replace" -> new ReplacePolicy();
      case "auto" -> new AutoPolicy();
      default ->
          throw new IllegalArgumentException(
              "the update policy must be one of "
                  + String.join(", ", ModelSettings.Update.POLICIES)
                  + ": "
                  + settings.update().policy());
    };
  }
}
