package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.trainer.window.Memory;
import io.holdfast.trainer.window.Window;
import java.util.ArrayList;
import java.util.List;

/** Cuts of the example topic as the contracts write them. Stateless. */
final class OffsetRanges {
  private OffsetRanges() {}

  /**
   * Every cut of a window, empty ones too: so a manifest alone says where the next window begins in
   * every partition.
   */
  static List<OffsetRange> of(String topic, Window window) {
    List<OffsetRange> ranges = new ArrayList<>();
    window
        .cuts()
        .forEach((partition, cut) -> ranges.add(range(topic, partition, cut.from(), cut.to())));
    return ranges;
  }

  /** What is remembered when {@code window} begins. */
  static List<OffsetRange> of(String topic, Memory memory, Window window) {
    List<OffsetRange> ranges = new ArrayList<>();
    memory
        .starts()
        .forEach(
            (partition, from) -> {
              Window.Cut cut = window.cuts().get(partition);
              if (cut != null) { // always there: what is remembered has been read
                ranges.add(range(topic, partition, from, cut.from()));
              }
            });
    return ranges;
  }

  private static OffsetRange range(String topic, int partition, long from, long to) {
    return OffsetRange.newBuilder()
        .setTopic(topic)
        .setPartition(partition)
        .setFrom(from)
        .setTo(to)
        .build();
  }
}
