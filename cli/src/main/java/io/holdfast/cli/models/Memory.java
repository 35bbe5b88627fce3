package io.holdfast.cli.models;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Older examples trained on beside the window; no {@code windows} if the manifest does not say. */
record Memory(long rows, int windows, List<OffsetRange> ranges) {

  static Memory of(ModelManifest manifest) {
    if (manifest.getReplay().isEmpty()) {
      return new Memory(
          manifest.getMetrics().getOrDefault("memoryRows", 0.0).longValue(),
          0,
          manifest.getMemory());
    }
    long rows = 0;
    List<OffsetRange> ranges = new ArrayList<>();
    for (ReplayedWindow window : manifest.getReplay()) {
      ranges.addAll(window.getWindow());
      for (ReplayQuota quota : window.getQuotas()) {
        rows += quota.getRows();
      }
    }
    return new Memory(rows, manifest.getReplay().size(), joined(ranges));
  }

  private static List<OffsetRange> joined(List<OffsetRange> ranges) {
    TreeMap<Integer, List<OffsetRange>> byPartition = new TreeMap<>();
    for (OffsetRange range : ranges) {
      List<OffsetRange> before =
          byPartition.computeIfAbsent(range.getPartition(), partition -> new ArrayList<>());
      if (range.getFrom() >= range.getTo()) {
        continue;
      }
      if (!before.isEmpty() && before.getLast().getTo() == range.getFrom()) {
        OffsetRange last = before.removeLast();
        before.add(
            new OffsetRange(range.getTopic(), range.getPartition(), last.getFrom(), range.getTo()));
      } else {
        before.add(range);
      }
    }
    return byPartition.values().stream().flatMap(List::stream).toList();
  }
}
