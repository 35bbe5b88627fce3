package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.window.Window;

/**
 * What the trainer decided. Publish it, all of it or nothing, and only then {@link
 * TrainerCore#apply} it. Immutable.
 */
public sealed interface TrainerEvent {

  /** The model begins: version 0 scores everything 0. */
  record Begun(NewVersion version) implements TrainerEvent {}

  /** The constant of the first rows is to serve until the first window is full. */
  record Provisional(NewVersion version, int rows) implements TrainerEvent {}

  /**
   * A window was evaluated and learned from.
   *
   * @param window the window
   * @param outcome the new version, or why there is none
   * @param report the window's report, ready to publish
   * @param progress what to commit: a restart continues from it
   */
  record Concluded(Window window, Outcome outcome, WindowReport report, Progress progress)
      implements TrainerEvent {}

  /** What came of a window. */
  sealed interface Outcome {

    /**
     * A new version, which training grows from now on, and which serves if its head says so.
     *
     * @param run how it was trained
     */
    record Trained(NewVersion version, TrainingRun run) implements Outcome {}

    /** No new version, because of {@code reason}, a sentence; what served serves on. */
    record Kept(String reason) implements Outcome {}
  }
}
