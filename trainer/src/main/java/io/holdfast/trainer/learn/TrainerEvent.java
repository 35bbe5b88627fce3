package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.window.Window;

/** A decision, to publish whole and only then {@link TrainerCore#apply}. Immutable. */
public sealed interface TrainerEvent {

  /** Version 0, which scores everything 0. */
  record Begun(NewVersion version) implements TrainerEvent {}

  /** The constant of the first rows, to serve until the first window is full. */
  record Provisional(NewVersion version, int rows) implements TrainerEvent {}

  /** A window was evaluated and learned from; a restart continues from {@code progress}. */
  record Concluded(Window window, Outcome outcome, WindowReport report, Progress progress)
      implements TrainerEvent {}

  /** What came of a window. */
  sealed interface Outcome {

    /** A new tip, which serves if its head says so. */
    record Trained(NewVersion version, TrainingRun run) implements Outcome {}

    /** No new version, for a reason in a sentence. */
    record Kept(String reason) implements Outcome {}
  }
}
