package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class MemoryTest {

  @Example
  void memory_ofZeroRows_remembersNothing() {
    Memory memory = Memory.ofAtMost(0).plus(List.of(RowsOfLog.row(0, 0, 1)));

    assertThat(memory.rows()).isEmpty();
    assertThat(memory.starts()).isEmpty();
  }

  @Example
  void starts_areTheFirstRememberedOffsets() {
    Memory memory =
        Memory.ofAtMost(3)
            .plus(List.of(RowsOfLog.row(0, 0, 1), RowsOfLog.row(1, 0, 2)))
            .plus(List.of(RowsOfLog.row(0, 1, 3), RowsOfLog.row(0, 2, 4)));

    assertThat(memory.starts()).isEqualTo(Map.of(0, 1L, 1, 0L));
  }

  /**
   * Late rows of one partition, windows of any size: memory never exceeds its bound, and what the
   * log holds from its starts on makes the same memory again, in the same order.
   */
  @Property
  void memory_readAgainFromItsStarts_isTheSame(
      @ForAll("windows") List<List<List<Long>>> windows, @ForAll @IntRange(max = 12) int maxRows) {
    Memory memory = Memory.ofAtMost(maxRows);
    List<LabelledRow> log = new ArrayList<>();
    long[] next = new long[3];
    for (List<List<Long>> window : windows) {
      List<LabelledRow> rows = new ArrayList<>();
      for (int partition = 0; partition < window.size(); partition++) {
        for (long timestamp : window.get(partition)) {
          rows.add(RowsOfLog.row(partition, next[partition]++, timestamp));
        }
      }
      log.addAll(rows);
      memory = memory.plus(rows);

      Map<Integer, Long> starts = memory.starts();
      List<LabelledRow> again =
          log.stream()
              .filter(
                  row ->
                      row.position().offset()
                          >= starts.getOrDefault(row.position().partition(), Long.MAX_VALUE))
              .toList();
      assertThat(memory.rows()).hasSize(Math.min(maxRows, log.size()));
      assertThat(Memory.ofAtMost(maxRows).plus(again).rows()).isEqualTo(memory.rows());
    }
  }

  @Provide
  Arbitrary<List<List<List<Long>>>> windows() {
    return Arbitraries.longs()
        .between(0, 9)
        .list()
        .ofMaxSize(5)
        .list()
        .ofSize(3)
        .list()
        .ofMaxSize(5);
  }
}
