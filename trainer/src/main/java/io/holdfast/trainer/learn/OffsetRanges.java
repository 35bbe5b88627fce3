package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.trainer.window.ReplayBuffer;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cuts of the example topic as the contracts write them. Stateless. */
final class OffsetRanges {
  private OffsetRanges() {}

  /**
   * Every cut of a window, empty ones too: so a manifest alone says where the next window begins in
   * every partition.
   */
  static List<OffsetRange> of(String topic, Window window) {
    return of(topic, window.cuts());
  }

  /** What is held of earlier windows. */
  static List<ReplayedWindow> of(String topic, ReplayBuffer replay) {
    List<ReplayedWindow> windows = new ArrayList<>();
    for (ReplayBuffer.Part part : replay.parts()) {
      List<ReplayQuota> quotas = new ArrayList<>();
      part.quotas().forEach((environment, rows) -> quotas.add(new ReplayQuota(environment, rows)));
      windows.add(new ReplayedWindow(of(topic, part.cuts()), quotas));
    }
    return windows;
  }

  private static List<OffsetRange> of(String topic, Map<Integer, Window.Cut> cuts) {
    List<OffsetRange> ranges = new ArrayList<>();
    cuts.forEach(
        (partition, cut) -> ranges.add(new OffsetRange(topic, partition, cut.from(), cut.to())));
    return ranges;
  }
}
