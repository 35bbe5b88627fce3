package io.holdfast.trainer.rebuild;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.RetrainedVersion;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.trainer.learn.ColdStart;
import io.holdfast.trainer.learn.NewVersion;
import io.holdfast.trainer.learn.ProgramVersion;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.learn.RowSource;
import io.holdfast.trainer.learn.Standing;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Trains a version again, from its parent, the example log and the settings in its manifest. Owned
 * by one thread.
 */
public final class Rebuild {
  /*
   * A core that stands where the version's window began is given the replay buffer and the window that
   * the manifest names. Nothing else reaches the hash but the program's version, which is taken from the
   * manifest: a rebuild is to show that this program arrives at the same bits.
   */
  private static final int OLDEST_FORMAT = 3;
  private static final InstantSource NO_TIME = InstantSource.fixed(Instant.EPOCH);

  private final LedgerVersion stored;
  private final ModelManifest manifest;
  private final RowSource log;
  private final List<String> causes = new ArrayList<>();

  /**
   * The outcome.
   *
   * @param rebuilt null if no version came of the same rows
   * @param differences what differs and why, in sentences; empty if the hashes are the same
   */
  public record Result(
      long version, Digest stored, @Nullable Digest rebuilt, List<String> differences) {

    /** Whether the hashes are the same. */
    public boolean same() {
      return stored.equals(rebuilt);
    }
  }

  private Rebuild(LedgerVersion stored, RowSource log) {
    this.stored = stored;
    manifest = stored.manifest();
    this.log = log;
  }

  /**
   * Trains {@code stored} again.
   *
   * @param parent the version it grew from; null for version 0, and where a version that was
   *     trained again grew from a version 0 that was never written
   * @param framing opens the frames of the rows' records
   * @param log without the rows that the version must not be learned from
   */
  public static Result of(
      LedgerVersion stored, @Nullable LedgerVersion parent, Framing framing, RowSource log) {
    return Retrained.of(stored.manifest()) == null
        ? new Rebuild(stored, log).run(parent, framing)
        : ofRetrained(stored, parent, framing, log);
  }

  /** Trains it as what it would be, and what it would be must be what it is. */
  private static Result ofRetrained(
      LedgerVersion stored, @Nullable LedgerVersion parent, Framing framing, RowSource log) {
    LedgerVersion from = parent == null ? first(stored, framing) : Retrained.parent(stored, parent);
    LedgerVersion would = Retrained.trained(stored, from);
    RetrainedVersion said = Objects.requireNonNull(Retrained.of(stored.manifest()));
    Digest hash = Digest.of(said.getHash());
    if (!would.hash().equals(hash)) {
      String sentence =
          Sentence.of(
              "It would have the hash %s without the rows, and says %s.", would.hash(), hash);
      return new Result(stored.number(), stored.hash(), null, List.of(sentence));
    }
    if (would.hash().equals(from.hash())) { // a copy
      return new Result(stored.number(), stored.hash(), stored.hash(), List.of());
    }
    Result result = new Rebuild(would, log).run(Retrained.origin(from), framing);
    Digest rebuilt = result.same() ? stored.hash() : result.rebuilt();
    return new Result(stored.number(), stored.hash(), rebuilt, result.differences());
  }

  /** The version 0 of the features, which knows no category. */
  private static LedgerVersion first(LedgerVersion stored, Framing framing) {
    ModelManifest manifest = stored.manifest();
    var core = new TrainerCore(settings(manifest), framing, manifest.getProgramVersion());
    return core.begin(Retraining.emptied(stored.model().features()), NO_TIME).version().version();
  }

  private static ModelSettings settings(ModelManifest manifest) {
    return ModelSettings.ofTrainingJson(manifest.getModel(), manifest.getSettings());
  }

  private Result run(@Nullable LedgerVersion parent, Framing framing) {
    if (manifest.getFormat() < OLDEST_FORMAT) {
      return failed(
          Sentence.of(
              "It is of format %d: the program that wrote it took other rows from memory than this"
                  + " one does.",
              manifest.getFormat()));
    }
    boolean constant = ColdStart.made(stored);
    if (parent == null
        ? !manifest.getSegments().isEmpty()
        : manifest.getWindow().isEmpty() && !constant) {
      return failed("It was not trained here, but imported, or only lets another rung score.");
    }
    ModelSettings settings;
    try {
      settings = settings(manifest).withExamplesIn(topic());
    } catch (SettingsException e) {
      return failed("Its training settings cannot be read: " + e.getMessage() + ".");
    }
    TrainerCore core = new TrainerCore(settings, framing, manifest.getProgramVersion());
    NewVersion rebuilt;
    if (parent == null) {
      rebuilt = core.begin(stored.model().features(), NO_TIME).version();
    } else if (constant) {
      Window rows = rows(core, parent);
      Optional<NewVersion> made =
          rows.rows().isEmpty() ? Optional.empty() : core.constant(rows, NO_TIME);
      if (made.isEmpty()) {
        return failed("No constant came of the rows that can be read from the log.");
      }
      rebuilt = made.get();
    } else {
      TrainerEvent.Outcome outcome = core.retrain(rows(core, parent), NO_TIME);
      if (outcome instanceof TrainerEvent.Outcome.Kept kept) {
        return failed(kept.reason());
      }
      rebuilt = ((TrainerEvent.Outcome.Trained) outcome).version();
    }
    return result(rebuilt.version());
  }

  /** Resumes the core where the version's rows begin, and reads them. */
  private Window rows(TrainerCore core, LedgerVersion parent) {
    boolean constant = ColdStart.made(stored);
    TreeMap<Integer, Progress.Reached> begins = new TreeMap<>();
    TreeMap<Integer, Window.Cut> cuts = new TreeMap<>();
    for (OffsetRange range : ranges()) {
      begins.put(range.getPartition(), new Progress.Reached(range.getFrom(), range.getFrom()));
      cuts.put(range.getPartition(), new Window.Cut(range.getFrom(), range.getTo()));
    }
    long number = constant ? 1 : manifest.getMetrics().getOrDefault("window", 0.0).longValue();
    core.resume(
        Standing.first(parent, Instant.EPOCH),
        List.of(parent.manifest()),
        new Progress(number - 1, manifest.getVersion() - 1, Long.MIN_VALUE, begins));
    if (!constant) {
      core.remember(ReplayPlan.before(manifest), this::read);
      compare("memoryRows", "rows that were trained on beside the window", core.memoryRows());
    }
    TreeMap<Integer, Window.Cut> filled = new TreeMap<>(cuts);
    filled.values().removeIf(Window.Cut::isEmpty);
    List<LabelledRow> rows = core.usable(read(filled).rows());
    compare(
        constant ? "rows" : "windowRows", constant ? "rows" : "rows of its window", rows.size());
    return new Window(number, ReplayBuffer.inLogOrder(rows), Map.of(), cuts);
  }

  /** Where the version's rows are in the log. */
  private List<OffsetRange> ranges() {
    return ColdStart.made(stored) ? manifest.getMemory() : manifest.getWindow();
  }

  private RowSource.Found read(SortedMap<Integer, Window.Cut> cuts) {
    RowSource.Found found = log.read(cuts);
    found
        .gone()
        .forEach(
            (partition, gone) ->
                causes.add(
                    Sentence.of(
                        "Offsets %d to %d of %s-%d are gone from the log.",
                        gone.from(), gone.to() - 1, topic(), partition)));
    return found;
  }

  private void compare(String metric, String what, int found) {
    double recorded = manifest.getMetrics().getOrDefault(metric, 0.0);
    if (found != recorded) {
      causes.add(
          Sentence.of(
              "Of its %.0f %s, %d can be read from the log and used.", recorded, what, found));
    }
  }

  private Result result(LedgerVersion rebuilt) {
    boolean same = rebuilt.hash().equals(stored.hash());
    List<String> differences = new ArrayList<>();
    if (!same) {
      differences.addAll(causes);
      if (!manifest.getProgramVersion().equals(ProgramVersion.VALUE)) {
        differences.add(
            Sentence.of(
                "It was trained by Holdfast %s, and this is %s.",
                manifest.getProgramVersion(), ProgramVersion.VALUE));
      }
      differences.addAll(ManifestDiff.of(manifest, rebuilt.manifest()));
    }
    return new Result(stored.number(), stored.hash(), rebuilt.hash(), List.copyOf(differences));
  }

  private Result failed(String reason) {
    List<String> differences = new ArrayList<>(causes);
    differences.add(reason);
    return new Result(stored.number(), stored.hash(), null, List.copyOf(differences));
  }

  /** The topic that the version's examples were read from. */
  private String topic() {
    return ranges().isEmpty() ? manifest.getModel() + ".examples" : ranges().getFirst().getTopic();
  }
}
