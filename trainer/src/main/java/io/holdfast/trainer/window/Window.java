package io.holdfast.trainer.window;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A window of the example log, between two commits. Immutable.
 *
 * @param number from 1, without gaps
 * @param rows the usable rows, by partition and offset
 * @param unusable examples left out, counted by reason
 * @param cuts the offsets of every partition ever read; may be empty
 */
public record Window(
    long number, List<LabelledRow> rows, Map<String, Long> unusable, SortedMap<Integer, Cut> cuts) {
  public Window {
    rows = List.copyOf(rows);
    unusable = Map.copyOf(unusable);
    cuts = Collections.unmodifiableSortedMap(new TreeMap<>(cuts));
  }

  /** The offsets {@code [from, to)} of one partition. */
  public record Cut(long from, long to) {
    public boolean isEmpty() {
      return from == to;
    }
  }
}
