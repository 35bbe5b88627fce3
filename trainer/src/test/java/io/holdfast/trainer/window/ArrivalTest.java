package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Rows that arrive while they are read: {@link LogEnds} and {@link PartitionMerge} together. */
class ArrivalTest {
  private static final int IDLE = 40;
  private static final int ROWS = 60;

  /** A row and when the broker got it. */
  private record Arrival(LabelledRow row, long at) {}

  /**
   * Whenever rows are polled and ends are looked at, and however long nothing is done in between,
   * the sequence is that of the log as it stands at last, if no row came later than idle after one
   * that has its timestamp or a later one.
   */
  @Property
  void sequence_ofRowsThatCameInTime_isThatOfTheWholeLog(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int partitions) {
    var random = new SplittableRandom(seed);
    List<Arrival> arrivals = arrivals(random, partitions);
    List<LabelledRow> all = new ArrayList<>();
    arrivals.forEach(arrival -> all.add(arrival.row()));

    assertThat(read(arrivals, partitions, random)).isEqualTo(RowsOfLog.merged(all));
  }

  private static List<Arrival> arrivals(SplittableRandom random, int partitions) {
    record Sent(int partition, long timestamp, long at) {}
    List<Sent> sent = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      long timestamp = random.nextInt(400);
      sent.add(
          new Sent(random.nextInt(partitions), timestamp, timestamp + random.nextInt(IDLE + 1)));
    }
    sent.sort(Comparator.comparingLong(Sent::at));
    long[] next = new long[partitions];
    List<Arrival> arrivals = new ArrayList<>();
    for (Sent one : sent) {
      LabelledRow row = RowsOfLog.row(one.partition(), next[one.partition()]++, one.timestamp());
      arrivals.add(new Arrival(row, one.at()));
    }
    return arrivals;
  }

  private static List<LabelledRow> read(
      List<Arrival> arrivals, int partitions, SplittableRandom random) {
    var merge = new PartitionMerge<>(LabelledRow::position);
    var ends = new LogEnds(Duration.ofNanos(IDLE));
    long[] position = new long[partitions];
    for (int partition = 0; partition < partitions; partition++) {
      merge.open(partition);
    }
    List<LabelledRow> sequence = new ArrayList<>();
    long now = 0;
    while (sequence.size() < arrivals.size()) {
      now += random.nextInt(random.nextInt(10) == 0 ? 200 : 15);
      int polled = random.nextInt(partitions);
      int most = random.nextInt(6);
      for (Arrival arrival : arrivals) {
        Position at = arrival.row().position();
        if (arrival.at() <= now
            && at.partition() == polled
            && at.offset() == position[polled]
            && most-- > 0) {
          merge.add(arrival.row());
          position[polled]++;
        }
      }
      if (random.nextBoolean()) {
        long asked = now;
        now += random.nextInt(10);
        Map<Integer, Long> offsets = offsets(arrivals, partitions, now);
        now += random.nextInt(10);
        ends.look(asked, now, offsets);
      }
      for (int partition = 0; partition < partitions; partition++) {
        merge.atEnd(partition, position[partition] >= ends.end(partition));
        merge.settled(partition, ends.settled(partition));
      }
      for (LabelledRow row = merge.poll(); row != null; row = merge.poll()) {
        sequence.add(row);
      }
    }
    return sequence;
  }

  private static Map<Integer, Long> offsets(List<Arrival> arrivals, int partitions, long now) {
    Map<Integer, Long> offsets = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      offsets.put(partition, 0L);
    }
    for (Arrival arrival : arrivals) {
      if (arrival.at() <= now) {
        offsets.merge(arrival.row().position().partition(), 1L, Long::sum);
      }
    }
    return offsets;
  }
}
