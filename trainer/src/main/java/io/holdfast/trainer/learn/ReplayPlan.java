package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How to restore a replay buffer from the log, as a manifest records it. Immutable.
 *
 * @param recorded what the version was trained on beside its window, oldest stretch first
 * @param published whether the version's own window is in the buffer
 * @param window the version's own window
 * @param unpublished what was read since without a version
 */
public record ReplayPlan(
    List<Stretch> recorded,
    boolean published,
    SortedMap<Integer, Window.Cut> window,
    SortedMap<Integer, Window.Cut> unpublished) {
  private static final long PIECE = 10_000;

  /**
   * Some windows in the log.
   *
   * @param quotas rows held of each environment; null if all are, as in the first manifests
   */
  public record Stretch(
      SortedMap<Integer, Window.Cut> cuts, @Nullable SortedMap<String, Integer> quotas) {}

  /** The buffer that a version was trained with. */
  public static ReplayPlan before(ModelManifest version) {
    List<Stretch> recorded = new ArrayList<>();
    SortedMap<Integer, Window.Cut> memory = cuts(version.getMemory());
    if (!memory.isEmpty()) {
      recorded.add(new Stretch(memory, null));
    }
    for (ReplayedWindow replayed : version.getReplay()) {
      TreeMap<String, Integer> quotas = new TreeMap<>();
      replayed.getQuotas().forEach(quota -> quotas.put(quota.getEnvironment(), quota.getRows()));
      recorded.add(new Stretch(cuts(replayed.getWindow()), quotas));
    }
    return new ReplayPlan(List.copyOf(recorded), false, cuts(version.getWindow()), new TreeMap<>());
  }

  /** The buffer after the version that was trained last, and whatever was read since. */
  public static ReplayPlan after(ModelManifest trained, Progress progress) {
    TreeMap<Integer, Long> ends = new TreeMap<>();
    trained.getWindow().forEach(range -> ends.put(range.getPartition(), range.getTo()));
    TreeMap<Integer, Window.Cut> unpublished = new TreeMap<>();
    progress
        .partitions()
        .forEach(
            (partition, reached) -> {
              long from = Math.max(reached.unpublishedFrom(), ends.getOrDefault(partition, 0L));
              if (from < reached.position()) {
                unpublished.put(partition, new Window.Cut(from, reached.position()));
              }
            });
    ReplayPlan before = before(trained);
    return new ReplayPlan(
        before.recorded(), !trained.getWindow().isEmpty(), before.window(), unpublished);
  }

  /** Fills an empty buffer; {@code usable} reads the usable rows of a stretch. */
  ReplayBuffer restore(
      ReplayBuffer empty, Function<SortedMap<Integer, Window.Cut>, List<LabelledRow>> usable) {
    ReplayBuffer buffer = empty;
    for (Stretch stretch : recorded) {
      List<LabelledRow> rows = stretch.cuts().isEmpty() ? List.of() : usable.apply(stretch.cuts());
      buffer = buffer.restored(stretch.cuts(), stretch.quotas(), rows);
    }
    if (published) {
      buffer = buffer.published(window, usable.apply(window));
    }
    for (SortedMap<Integer, Window.Cut> piece : pieces(unpublished)) {
      buffer = buffer.unpublished(piece, usable.apply(piece));
    }
    return buffer;
  }

  /** The stretch in pieces that fit memory: it is long if no version was published for long. */
  private static List<SortedMap<Integer, Window.Cut>> pieces(SortedMap<Integer, Window.Cut> cuts) {
    List<SortedMap<Integer, Window.Cut>> pieces = new ArrayList<>();
    TreeMap<Integer, Window.Cut> left = new TreeMap<>(cuts);
    while (!left.isEmpty()) {
      TreeMap<Integer, Window.Cut> piece = new TreeMap<>(left);
      piece.replaceAll((_, it) -> new Window.Cut(it.from(), Math.min(it.to(), it.from() + PIECE)));
      left.replaceAll((_, it) -> new Window.Cut(Math.min(it.to(), it.from() + PIECE), it.to()));
      left.values().removeIf(Window.Cut::isEmpty);
      pieces.add(piece);
    }
    return pieces;
  }

  private static SortedMap<Integer, Window.Cut> cuts(List<OffsetRange> ranges) {
    TreeMap<Integer, Window.Cut> cuts = new TreeMap<>();
    for (OffsetRange range : ranges) {
      if (range.getFrom() < range.getTo()) {
        cuts.put(range.getPartition(), new Window.Cut(range.getFrom(), range.getTo()));
      }
    }
    return cuts;
  }
}
