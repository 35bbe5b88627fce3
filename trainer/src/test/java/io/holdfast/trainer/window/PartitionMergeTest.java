package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PartitionMergeTest {

  @Example
  void heads_ofSeveralPartitions_comeByTimestampThenPartition() {
    List<LabelledRow> rows =
        List.of(
            RowsOfLog.row(1, 0, 20),
            RowsOfLog.row(1, 1, 30),
            RowsOfLog.row(0, 0, 10),
            RowsOfLog.row(0, 1, 30));

    assertThat(RowsOfLog.merged(rows))
        .extracting(row -> row.position().partition() + ":" + row.position().offset())
        .containsExactly("0:0", "1:0", "0:1", "1:1");
  }

  @Example
  void partition_withTimestampsGoingBack_keepsOffsetOrder() {
    List<LabelledRow> rows =
        List.of(RowsOfLog.row(0, 0, 50), RowsOfLog.row(0, 1, 10), RowsOfLog.row(1, 0, 40));

    assertThat(RowsOfLog.merged(rows))
        .extracting(row -> row.position().partition() + ":" + row.position().offset())
        .containsExactly("1:0", "0:0", "0:1");
  }

  @Example
  void partition_thatMayHaveMore_holdsTheOthersBack() {
    var merge = new PartitionMerge<>(LabelledRow::position);
    LabelledRow row = RowsOfLog.row(0, 0, 10);
    merge.open(1);
    merge.add(row);
    assertThat(merge.poll()).isNull();

    merge.atEnd(1, true);
    assertThat(merge.poll()).isSameAs(row);
    assertThat(merge.poll()).isNull();
  }

  @Example
  void element_thatCameJustNow_doesNotPassAnEmptyPartition() {
    var merge = new PartitionMerge<>(LabelledRow::position);
    merge.open(1);
    merge.atEnd(1, true);
    merge.add(RowsOfLog.row(0, 7, 10));
    merge.add(RowsOfLog.row(0, 8, 20));
    merge.settled(0, 8);
    assertThat(merge.poll()).isEqualTo(RowsOfLog.row(0, 7, 10));
    assertThat(merge.poll()).isNull();

    merge.add(RowsOfLog.row(1, 0, 15)); // it came in time
    assertThat(merge.poll()).isEqualTo(RowsOfLog.row(1, 0, 15));
    assertThat(merge.poll()).isNull();
    merge.settled(0, 9);
    assertThat(merge.poll()).isEqualTo(RowsOfLog.row(0, 8, 20));
  }

  /** However the log is polled, the sequence is that of the whole log at once. */
  @Property
  void sequence_ofDataThatIsThere_doesNotDependOnHowItIsPolled(
      @ForAll("logs") List<List<Long>> log, @ForAll long seed) {
    List<LabelledRow> all = rows(log);

    assertThat(polledInPieces(log, new SplittableRandom(seed))).isEqualTo(RowsOfLog.merged(all));
  }

  /** Windows are prefixes: each takes a contiguous offset range of every partition. */
  @Property
  void prefix_ofTheSequence_isContiguousInEveryPartition(@ForAll("logs") List<List<Long>> log) {
    long[] next = new long[log.size()];
    for (LabelledRow row : RowsOfLog.merged(rows(log))) {
      assertThat(row.position().offset()).isEqualTo(next[row.position().partition()]++);
    }
  }

  /** What a trainer that begins again still has before it has the order that it had. */
  @Property
  void tail_mergedAgain_isTheSame(@ForAll("logs") List<List<Long>> log) {
    List<LabelledRow> merged = RowsOfLog.merged(rows(log));
    for (int from = 0; from <= merged.size(); from++) {
      List<LabelledRow> tail = merged.subList(from, merged.size());
      assertThat(RowsOfLog.merged(tail)).isEqualTo(tail);
    }
  }

  @Provide
  Arbitrary<List<List<Long>>> logs() {
    return Arbitraries.longs().between(0, 9).list().ofMaxSize(12).list().ofMinSize(1).ofMaxSize(4);
  }

  private static List<LabelledRow> rows(List<List<Long>> log) {
    List<LabelledRow> rows = new ArrayList<>();
    for (int partition = 0; partition < log.size(); partition++) {
      for (int offset = 0; offset < log.get(partition).size(); offset++) {
        rows.add(RowsOfLog.row(partition, offset, log.get(partition).get(offset)));
      }
    }
    return rows;
  }

  private static List<LabelledRow> polledInPieces(List<List<Long>> log, SplittableRandom random) {
    var merge = new PartitionMerge<>(LabelledRow::position);
    int[] added = new int[log.size()];
    List<LabelledRow> sequence = new ArrayList<>();
    for (int partition = 0; partition < log.size(); partition++) {
      merge.open(partition);
    }
    boolean more = true;
    while (more) {
      more = false;
      int partition = random.nextInt(log.size());
      List<Long> timestamps = log.get(partition);
      int end = Math.min(timestamps.size(), added[partition] + random.nextInt(4));
      while (added[partition] < end) {
        int offset = added[partition]++;
        merge.add(RowsOfLog.row(partition, offset, timestamps.get(offset)));
      }
      for (int p = 0; p < log.size(); p++) {
        boolean atEnd = added[p] == log.get(p).size();
        merge.atEnd(p, atEnd);
        more |= !atEnd;
      }
      for (LabelledRow row = merge.poll(); row != null; row = merge.poll()) {
        sequence.add(row);
      }
    }
    return sequence;
  }
}
