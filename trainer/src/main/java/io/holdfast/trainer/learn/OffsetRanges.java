package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cuts of the example topic as the contracts write them. Owned by the training thread. */
final class OffsetRanges {
  /**
   * Every cut of a window, empty ones too: so a manifest alone says where the next window begins in
   * every partition.
   */
  static List<OffsetRange> of(String topic, Window window) {
    return of(topic, window.cuts());
  }

  private final String topic;
  private List<ReplayBuffer.Part> parts = List.of();
  private List<ReplayedWindow> windows = List.of();

  OffsetRanges(String topic) {
    this.topic = topic;
  }

  /** What is held of earlier windows: most of it is what was held when it was asked for last. */
  @SuppressWarnings("ReferenceEquality") // parts are immutable: identity is enough
  List<ReplayedWindow> of(ReplayBuffer replay) {
    List<ReplayBuffer.Part> held = replay.parts();
    List<ReplayedWindow> ranges = new ArrayList<>(held.size());
    int known = 0;
    for (ReplayBuffer.Part part : held) {
      int same = known;
      while (same < parts.size() && parts.get(same) != part) {
        same++;
      }
      if (same < parts.size()) {
        ranges.add(windows.get(same));
        known = same + 1;
      } else {
        ranges.add(of(topic, part));
      }
    }
    parts = held;
    windows = List.copyOf(ranges);
    return windows;
  }

  private static ReplayedWindow of(String topic, ReplayBuffer.Part part) {
    List<ReplayQuota> quotas = new ArrayList<>();
    part.quotas().forEach((environment, rows) -> quotas.add(new ReplayQuota(environment, rows)));
    return new ReplayedWindow(of(topic, part.cuts()), quotas);
  }

  private static List<OffsetRange> of(String topic, Map<Integer, Window.Cut> cuts) {
    List<OffsetRange> ranges = new ArrayList<>();
    cuts.forEach(
        (partition, cut) -> ranges.add(new OffsetRange(topic, partition, cut.from(), cut.to())));
    return ranges;
  }
}
