package io.holdfast.trainer.learn;

import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Window;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * One model's trainer without its surroundings: it decides, and the caller publishes. Owned by one
 * thread; not thread-safe.
 *
 * <p>The one sequence of calls, live and in a backtest:
 *
 * <pre>{@code
 * TrainerCore core = new TrainerCore(settings, framing);
 * var begun = core.begin(recordSchema, time);        // or core.resume(...), after a restart
 * publish(begun);
 * core.apply(begun);
 * for (LabelledRow row : rows) {                     // in offset order within each partition
 *   core.add(row).ifPresent(refusal -> deadLetter(row, refusal));
 *   Optional<Window> window = core.completeWindow();
 *   if (window.isPresent()) {
 *     var concluded = core.decide(window.get(), time);
 *     publish(concluded);
 *     core.apply(concluded);                         // core.serving() is the new version now
 *   }
 * }
 * }</pre>
 *
 * <p>Versions are a function of the settings, the record schema and the rows of each window and
 * memory: neither the time nor how the rows were handed over has a part in them.
 */
public final class TrainerCore {

  /**
   * A trainer of {@code settings.name()}.
   *
   * @param framing opens the frames of the rows' records
   */
  public TrainerCore(ModelSettings settings, Framing framing) {}

  /**
   * Decides version 0 for a model that has none: no trees, raw score 0, features by the record
   * schema.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if the settings do not fit the schema
   */
  public TrainerEvent.Begun begin(Schema recordSchema, InstantSource time) {
    throw new UnsupportedOperationException(recordSchema + " " + time.instant());
  }

  /**
   * Continues a model that has versions, before any row is added.
   *
   * @param serving the version that serves
   * @param lastVersion the highest version number there is: the serving one's unless it was rolled
   *     back
   * @param progress how far the example log has been learned from
   */
  public void resume(LedgerVersion serving, long lastVersion, Progress progress) {}

  /**
   * Hands over again, after {@link #resume}, what the log holds between {@code memoryFrom} and
   * {@code position} of each partition. Rows that cannot be used are skipped, as they were before.
   */
  public void remember(List<LabelledRow> rows) {}

  /**
   * Takes the next example of its partition.
   *
   * @return why it cannot be used, if so; it is counted either way
   */
  public Optional<Refusal> add(LabelledRow row) {
    throw new UnsupportedOperationException(row.toString());
  }

  /** Counts an example that could not even be read as one. */
  public void refuse(Position position, Refusal refusal) {}

  /** The window, once what was added makes one; the same until it is concluded and applied. */
  public Optional<Window> completeWindow() {
    return Optional.empty();
  }

  /** The window of all that was added since the last one, complete or not; empty if nothing was. */
  public Optional<Window> openWindow() {
    return Optional.empty();
  }

  /**
   * Evaluates what was served in the window, by environment, and trains on memory and window. Pure:
   * changes nothing here; may take seconds.
   */
  public TrainerEvent.Concluded decide(Window window, InstantSource time) {
    throw new UnsupportedOperationException(window + " " + time.instant());
  }

  /** Takes a published event into the state. */
  public void apply(TrainerEvent event) {}

  /** The version that serves. */
  public LedgerVersion serving() {
    throw new IllegalStateException("the model has no version yet");
  }

  /** How far the example log has been learned from. */
  public Progress progress() {
    return Progress.NONE;
  }
}
