package io.holdfast.trainer.policy;

import io.holdfast.boosting.Workspace;
import io.holdfast.schemas.settings.ModelSettings;

/**
 * Trains the next model, as a function of the context alone: what a policy remembers stands in the
 * run's metrics, and anything it holds is only a cache of them. Owned by the training thread.
 */
@FunctionalInterface
public interface UpdatePolicy {
  /**
   * Trains, in arrays that change no bit of the result.
   *
   * @throws IllegalArgumentException in one sentence, if the rows cannot be trained on together
   */
  TrainingRun train(UpdateContext context, Workspace workspace);

  /** The policy that the settings name. */
  static UpdatePolicy of(ModelSettings settings) {
    return switch (settings.update().policy()) {
      case "append" -> AppendTrees::append;
      case "decay" -> AppendTrees::decay;
      case "refit" -> AppendTrees::refit;
      case "replace" -> ReplacePolicy::train;
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
