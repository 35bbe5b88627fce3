package io.holdfast.trainer.window;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows before the present window that are trained on again: the last ones, in merged order.
 * Immutable.
 */
public final class Memory {
  /*
   * Invariant: the rows are the usable ones of a contiguous offset range of each partition that ends
   * where the last window ended. plus() keeps a tail of (memory, window), both in merged order, and
   * a tail of a merged sequence takes a tail of each partition. So one offset a partition is enough
   * to find the rows again in the log.
   */
  private final int maxRows;
  private final List<LabelledRow> rows;

  private Memory(int maxRows, List<LabelledRow> rows) {
    this.maxRows = maxRows;
    this.rows = rows;
  }

  /** Holds nothing yet, and never more than {@code maxRows} rows; 0 remembers nothing. */
  public static Memory ofAtMost(int maxRows) {
    return new Memory(maxRows, List.of());
  }

  /** This memory and the rows of a later window, without the oldest over the limit. */
  public Memory plus(List<LabelledRow> newer) {
    List<LabelledRow> all = new ArrayList<>(rows.size() + newer.size());
    all.addAll(rows);
    all.addAll(PartitionMerge.merged(newer));
    int forgotten = Math.max(0, all.size() - maxRows);
    return new Memory(
        maxRows, List.copyOf(PartitionMerge.merged(all.subList(forgotten, all.size()))));
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
