package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision, to publish whole and only then {@link TrainerCore#apply}. Immutable. */
public sealed interface TrainerEvent {

  /** Version 0, which scores everything 0. */
  record Begun(NewVersion version) implements TrainerEvent {}

  /** The constant of the first rows, to serve until the first window is full. */
  record Provisional(NewVersion version, int rows) implements TrainerEvent {}

  /**
   * A window was evaluated and learned from; a restart continues from {@code progress}.
   *
   * @param promoted the state after what came of the window, if a version was promoted by it
   */
  record Concluded(
      Window window,
      Outcome outcome,
      WindowReport report,
      Progress progress,
      @Nullable Standing promoted)
      implements TrainerEvent {

    /** All records to publish on the model topic, in order. */
    public List<LedgerRecord> records() {
      List<LedgerRecord> records = new ArrayList<>();
      if (outcome instanceof Outcome.Trained trained) {
        records.addAll(trained.version().records());
      }
      if (promoted != null) {
        records.addAll(LedgerCodec.records(promoted.head()));
      }
      return List.copyOf(records);
    }
  }

  /** What came of a window. */
  sealed interface Outcome {

    /** A new tip, which serves if its head says so. */
    record Trained(NewVersion version, TrainingRun run) implements Outcome {}

    /** No new version, for a reason in a sentence. */
    record Kept(String reason) implements Outcome {}
  }
}
