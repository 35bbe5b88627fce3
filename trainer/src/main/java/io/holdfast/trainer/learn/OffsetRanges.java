package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cuts of the example topic as contracts' records. Owned by the training thread. */
final class OffsetRanges {
  /** Every cut of a window, empty ones too: so a manifest says where the next window begins. */
  static List<OffsetRange> of(String topic, Window window) {
    return of(topic, window.cuts());
  }

  private final String topic;
  private ReplayBuffer.Part[] parts = {};
  private ReplayedWindow[] windows = {};

  OffsetRanges(String topic) {
    this.topic = topic;
  }

  /** What is held of earlier windows. Reuses the records of the last call: most is the same. */
  List<ReplayedWindow> of(ReplayBuffer replay) {
    ReplayBuffer.Part[] held = replay.parts().toArray(ReplayBuffer.Part[]::new);
    ReplayedWindow[] ranges = new ReplayedWindow[held.length];
    int next = 0;
    for (int k = 0; k < held.length; k++) {
      int same = known(held[k], next);
      if (same < parts.length) {
        ranges[k] = windows[same];
        next = same + 1;
      } else {
        ranges[k] = of(topic, held[k]);
      }
    }
    parts = held;
    windows = ranges;
    return List.of(ranges);
  }

  private static ReplayedWindow of(String topic, ReplayBuffer.Part part) {
    List<ReplayQuota> quotas = new ArrayList<>();
    part.quotas().forEach((name, rows) -> quotas.add(new ReplayQuota(name, rows)));
    return new ReplayedWindow(of(topic, part.cuts()), quotas);
  }

  private static List<OffsetRange> of(String topic, Map<Integer, Window.Cut> cuts) {
    List<OffsetRange> ranges = new ArrayList<>();
    cuts.forEach(
        (partition, cut) -> ranges.add(new OffsetRange(topic, partition, cut.from(), cut.to())));
    return ranges;
  }

  /** The place of a part in the last call, from {@code from} on; behind the last if it had none. */
  @SuppressWarnings("ReferenceEquality") // parts are immutable: identity is enough
  private int known(ReplayBuffer.Part part, int from) {
    int place = from;
    while (place < parts.length && parts[place] != part) {
      place++;
    }
    return place;
  }
}
