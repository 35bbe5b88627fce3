package io.holdfast.trainer.window;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows before the present window that are trained on again: the last ones, in merged order.
 * Owned by the training thread; not thread-safe.
 */
public final class Memory {
  /*
   * Invariant: the rows are those usable ones of a contiguous offset range of each partition that
   * ends where the last window ended. Appending keeps a tail of (memory, window), both in merged
   * order, and the tail of a merged sequence takes the tail of each of its partitions. So one
   * offset a partition is enough to find the rows again in the log.
   */
  private final int maxRows;
  private List<LabelledRow> rows = List.of();

  /** A memory of at most {@code maxRows} rows; 0 remembers nothing. */
  public Memory(int maxRows) {
    this.maxRows = maxRows;
  }

  /** Appends a window's rows and forgets the oldest over the limit. */
  public void append(List<LabelledRow> newer) {
    List<LabelledRow> all = new ArrayList<>(rows.size() + newer.size());
    all.addAll(rows);
    all.addAll(PartitionMerge.merged(newer));
    rows =
        List.copyOf(
            PartitionMerge.merged(all.subList(Math.max(0, all.size() - maxRows), all.size())));
  }

  /** The rows in merged order; immutable. */
  public List<LabelledRow> rows() {
    return rows;
  }

  /** The first remembered offset of each partition that has one. */
  public SortedMap<Integer, Long> starts() {
    TreeMap<Integer, Long> starts = new TreeMap<>();
    for (LabelledRow row : rows) {
      starts.merge(row.position().partition(), row.position().offset(), Math::min);
    }
    return starts;
  }
}
