package io.holdfast.trainer.rebuild;

import io.holdfast.boosting.data.Feature;
import io.holdfast.schemas.avro.ForgottenRows;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.Retrained;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.trainer.learn.NewVersion;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.ReplayPlan;
import io.holdfast.trainer.learn.RowSource;
import io.holdfast.trainer.learn.Standing;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Window;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Trains a model again from a version on, by a log without some rows: the caller hands over the
 * rows that are left, as they are handed to a {@link TrainerCore}. Owned by one thread.
 */
public final class Retraining {
  private static final InstantSource NO_TIME = InstantSource.fixed(Instant.EPOCH);

  private final TrainerCore core;
  private final LedgerVersion origin;
  private final List<NewVersion> made = new ArrayList<>();

  private Retraining(TrainerCore core, LedgerVersion origin) {
    this.core = core;
    this.origin = origin;
  }

  /**
   * From a version that none of the rows has reached.
   *
   * @param learned the version that learned from the log last before it or is it; null if none did
   * @param versions up to that one, those that are still there
   * @param time when the newest example of its window was written; {@link Long#MIN_VALUE} if
   *     windows wait for no time
   * @param log without the rows
   */
  public static Retraining from(
      ModelSettings settings,
      Framing framing,
      LedgerVersion origin,
      @Nullable ModelManifest learned,
      List<ModelManifest> versions,
      long time,
      RowSource log) {
    TrainerCore core = new TrainerCore(settings, framing);
    Progress progress = progress(origin.number(), learned, time);
    core.resume(Standing.first(Retrained.origin(origin), Instant.EPOCH), versions, progress);
    if (learned != null) {
      core.remember(ReplayPlan.after(learned, progress), log);
    }
    return new Retraining(core, origin);
  }

  private static Progress progress(long version, @Nullable ModelManifest learned, long time) {
    TreeMap<Integer, Progress.Reached> reached = new TreeMap<>();
    double window = 0;
    if (learned != null) {
      window = learned.getMetrics().getOrDefault("window", 0.0);
      for (OffsetRange range : learned.getWindow()) {
        reached.put(range.getPartition(), new Progress.Reached(range.getTo(), range.getTo()));
      }
    }
    return new Progress((long) window, version, time, reached);
  }

  /** From the beginning, with a version 0 of these features that knows no category. */
  public static Retraining fromNothing(
      ModelSettings settings, Framing framing, List<Feature> features) {
    TrainerCore core = new TrainerCore(settings, framing);
    core.apply(core.begin(emptied(features), NO_TIME));
    return new Retraining(core, core.tip());
  }

  /** The features before any category was met. */
  static List<Feature> emptied(List<Feature> features) {
    return features.stream()
        .map(
            feature ->
                feature instanceof Feature.Categorical known
                    ? new Feature.Categorical(known.name(), List.of(), known.otherCategory())
                    : feature)
        .toList();
  }

  /** The version that the first one grows from. */
  public LedgerVersion origin() {
    return origin;
  }

  /** Tells when the next example was written, as {@link TrainerCore#next}. */
  public void next(long written) {
    Optional<Window> before = core.next(written);
    while (before.isPresent()) {
      conclude(before.get());
      before = core.next(written);
    }
  }

  /** Takes the next example of its partition; why it cannot be used, if so. */
  public Optional<Refusal> add(LabelledRow row) {
    Optional<Refusal> refusal = core.add(row);
    afterExample();
    return refusal;
  }

  /** Counts what cannot be read as an example. */
  public void refuse(Position position, Refusal refusal) {
    core.refuse(position, refusal);
    afterExample();
  }

  private void afterExample() {
    core.provisional(NO_TIME)
        .ifPresent(
            constant -> {
              core.apply(constant);
              made.add(constant.version());
            });
    core.completeWindow().ifPresent(this::conclude);
  }

  private void conclude(Window window) {
    TrainerEvent.Concluded concluded = core.decide(window, NO_TIME);
    core.apply(concluded);
    if (concluded.outcome() instanceof TrainerEvent.Outcome.Trained trained) {
      made.add(trained.version());
    }
  }

  /** How far the rows were learned from, by the numbers that versions have without the others. */
  public Progress progress() {
    return core.progress();
  }

  /**
   * The versions as they are without the rows, in order; none if too few were left for a window.
   */
  public List<LedgerVersion> trained() {
    return made.stream().map(NewVersion::version).toList();
  }

  /**
   * The same as they are published behind version {@code newest}; a copy of the origin if there is
   * none.
   *
   * @param rows all that is forgotten now
   */
  public List<LedgerCodec.Encoded> published(long newest, List<ForgottenRows> rows) {
    if (made.isEmpty()) {
      return List.of(Retrained.published(origin, List.of(), newest + 1, origin, rows));
    }
    List<LedgerCodec.Encoded> published = new ArrayList<>();
    LedgerVersion parent = origin;
    for (NewVersion version : made) {
      LedgerCodec.Encoded next =
          Retrained.published(
              version.version(),
              version.encoded().records(),
              newest + 1 + published.size(),
              parent,
              rows);
      published.add(next);
      parent = next.version();
    }
    return List.copyOf(published);
  }
}
