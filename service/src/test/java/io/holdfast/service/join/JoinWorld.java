package io.holdfast.service.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.service.TopologyRun;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RecordOutcome;
import io.holdfast.service.route.EventClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Everything around the join, in one thread: topics of records and labels, partitioned by their
 * producers as those like; scoring and the reading of labels, each as far behind as it happens to
 * be; and the join's tasks, which may crash and go on from what they committed last. What the tasks
 * give out is held against a model of the rule.
 */
final class JoinWorld implements InputProgress {
  /** A record, where it came from and what it counts for once it is scored. */
  record ARecord(int number, String key, long timestamp, boolean bad) {}

  /** A label, and the records of its key that were in their topic when it came. */
  record ALabel(int number, String key, long timestamp, List<ARecord> before) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Mark(int[] recordEnds, int[] labelEnds) {}

  private static final long HOUR = 3_600_000;

  final long waitMillis;
  final boolean forgets;
  private final boolean clockIsSet;
  private final SplittableRandom random;
  private final EventClock clock;
  private final List<List<ARecord>> records = new ArrayList<>();
  private final List<List<ALabel>> labels = new ArrayList<>();
  private final List<List<JoinTask.Input>> joined = new ArrayList<>();
  private final List<JoinTask> tasks = new ArrayList<>();
  private final int[] scored;
  private final int[] routed;
  private final List<Mark> marks = new ArrayList<>();
  private final Map<Integer, ALabel> labelByNumber = new HashMap<>();
  private final Map<Integer, ARecord> recordByNumber = new HashMap<>();
  private final Map<Integer, String> outcomes = new HashMap<>();
  private final Map<RecordOutcome, Integer> without = new EnumMap<>(RecordOutcome.class);
  private int scoredWell;
  private long now = 1_700_000_000_000L;

  /**
   * A world without messages.
   *
   * @param forgets whether it lasts so long that the join gives up and forgets
   */
  JoinWorld(SplittableRandom random, long waitMillis, boolean forgets) {
    this(random, waitMillis, forgets, false);
  }

  /** One whose clock is set an hour back and ahead now and then, with {@code clockIsSet}. */
  JoinWorld(SplittableRandom random, long waitMillis, boolean forgets, boolean clockIsSet) {
    this.random = random;
    this.waitMillis = waitMillis;
    this.forgets = forgets;
    this.clockIsSet = clockIsSet;
    this.clock = new EventClock("m", Duration.ofMillis(5), TopologyRun.troubles());
    int partitionsOfRecords = 1 + random.nextInt(3);
    int partitionsOfLabels = 1 + random.nextInt(4);
    int partitionsOfJoin = 1 + random.nextInt(3);
    for (int p = 0; p < partitionsOfRecords; p++) {
      records.add(new ArrayList<>());
    }
    for (int p = 0; p < partitionsOfLabels; p++) {
      labels.add(new ArrayList<>());
    }
    scored = new int[partitionsOfRecords];
    routed = new int[partitionsOfLabels];
    for (int p = 0; p < partitionsOfJoin; p++) {
      joined.add(new ArrayList<>());
      tasks.add(new JoinTask(this, joined.get(p)));
    }
  }

  /** Something that may happen at any time. */
  void step() {
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> produceRecord();
      case 3, 4 -> produceLabel();
      case 5, 6 -> score(random.nextInt(scored.length), random.nextInt(6));
      case 7, 8 -> route(random.nextInt(routed.length), random.nextInt(6));
      case 9, 10 -> anyTask().read(random.nextInt(8));
      case 11 -> anyTask().turn();
      case 12 -> anyTask().commit();
      default -> {
        if (random.nextInt(3) == 0) {
          anyTask().crash(random.nextBoolean());
        }
        now += forgets ? random.nextLong(waitMillis / 4) : random.nextInt(60);
        if (clockIsSet && random.nextInt(4) == 0) {
          now += random.nextBoolean() ? HOUR : -HOUR;
        }
      }
    }
  }

  /** Until nothing is on its way. */
  void settle() {
    for (int turn = 0; turn < 6; turn++) {
      for (int p = 0; p < scored.length; p++) {
        score(p, Integer.MAX_VALUE);
      }
      for (int p = 0; p < routed.length; p++) {
        route(p, Integer.MAX_VALUE);
      }
      for (JoinTask task : tasks) {
        task.read(Integer.MAX_VALUE);
        task.turn();
        task.commit();
        task.read(Integer.MAX_VALUE);
        task.commit();
      }
      now += 101;
    }
    assertThat(usedAndGivenUp() + tasks.stream().mapToLong(JoinTask::waiting).sum())
        .as("records with an example, without one, and those that wait")
        .isEqualTo(scoredWell);
  }

  private long usedAndGivenUp() {
    long used = outcomes.values().stream().filter(LabelOutcome.USED.name()::equals).count();
    return used + without.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** So long that nothing waits any more. */
  void pass(long millis) {
    now += millis;
    for (int turn = 0; turn < 4; turn++) {
      settle();
      now += 2 * waitMillis;
    }
    settle();
  }

  private JoinTask anyTask() {
    return tasks.get(random.nextInt(tasks.size()));
  }

  private String anyKey() {
    return "k" + random.nextInt(6);
  }

  /** Mostly of late, now and then long ago, or by a clock that is an hour ahead. */
  private long timestamp() {
    return switch (random.nextInt(12)) {
      case 0 -> now + HOUR;
      case 1 -> now + random.nextInt(5);
      case 2, 3 -> now - random.nextLong(3 * waitMillis);
      default -> now - random.nextLong(1 + waitMillis / 2);
    };
  }

  private void produceRecord() {
    var record = new ARecord(recordByNumber.size(), anyKey(), timestamp(), random.nextInt(8) == 0);
    recordByNumber.put(record.number(), record);
    // As librdkafka does by default; and by no rule now and then.
    CRC32 crc = new CRC32();
    crc.update(record.key().getBytes(UTF_8));
    int partition =
        random.nextInt(5) == 0
            ? random.nextInt(records.size())
            : (int) (crc.getValue() % records.size());
    records.get(partition).add(record);
  }

  private void produceLabel() {
    String key = random.nextInt(10) == 0 ? "none" : anyKey();
    List<ARecord> before =
        records.stream().flatMap(List::stream).filter(r -> r.key().equals(key)).toList();
    var label = new ALabel(labelByNumber.size(), key, timestamp(), before);
    labelByNumber.put(label.number(), label);
    labels.get(BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), labels.size())).add(label);
  }

  private void score(int partition, int count) {
    List<ARecord> all = records.get(partition);
    for (int left = count; left > 0 && scored[partition] < all.size(); left--) {
      int offset = scored[partition]++;
      ARecord record = all.get(offset);
      long event = clock.of(record.timestamp(), now, metadata());
      JoinInput input =
          record.bad()
              ? new JoinInput.Unscored(partition, offset, event)
              : new JoinInput.Scored(
                  message(record.number(), record.timestamp(), event),
                  1,
                  new byte[0],
                  new double[0]);
      if (!record.bad()) {
        scoredWell++;
      }
      send(record.key(), input, record);
    }
  }

  private void route(int partition, int count) {
    List<ALabel> all = labels.get(partition);
    for (int left = count; left > 0 && routed[partition] < all.size(); left--) {
      ALabel label = all.get(routed[partition]++);
      long event = clock.of(label.timestamp(), now, metadata());
      send(
          label.key(),
          new JoinInput.Labelled(message(label.number(), label.timestamp(), event)),
          null);
    }
  }

  private void send(String key, JoinInput input, @Nullable ARecord record) {
    int partition = BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), joined.size());
    joined.get(partition).add(new JoinTask.Input(key, JoinInputCodec.encode(input), record));
  }

  /** The number of what it is stands as the offset. */
  private static JoinInput.Message message(int number, long timestamp, long event) {
    return new JoinInput.Message(
        0, number, timestamp, event, null, new byte[0], new RecordHeaders());
  }

  private static RecordMetadata metadata() {
    return new RecordMetadata() {
      @Override
      public String topic() {
        return "m";
      }

      @Override
      public int partition() {
        return 0;
      }

      @Override
      public long offset() {
        return 0;
      }
    };
  }

  long now() {
    return now;
  }

  ALabel label(long number) {
    return Objects.requireNonNull(labelByNumber.get((int) number));
  }

  /** A committed outcome of a label. */
  void outcome(ALabel label, String outcome) {
    assertThat(outcomes.put(label.number(), outcome)).as("a label leaves once").isNull();
  }

  void without(RecordOutcome outcome) {
    without.merge(outcome, 1, Integer::sum);
  }

  /** The sums, when nothing waits any more. */
  void assertSums() {
    assertThat(outcomes).hasSameSizeAs(labelByNumber);
    assertThat(usedAndGivenUp()).isEqualTo(scoredWell);
    for (JoinTask task : tasks) {
      assertThat(task.held()).as("what is left in the store").isZero();
    }
  }

  Map<Integer, String> outcomes() {
    return outcomes;
  }

  @Override
  public void open() {}

  @Override
  public void close() {}

  @Override
  public void look(long time) {}

  @Override
  public long mark() {
    marks.add(
        new Mark(
            records.stream().mapToInt(List::size).toArray(),
            labels.stream().mapToInt(List::size).toArray()));
    return marks.size() - 1L;
  }

  @Override
  public boolean recordsPassed(long mark) {
    return passed(scored, marks.get((int) mark).recordEnds());
  }

  @Override
  public boolean labelsPassed(long mark) {
    return passed(routed, marks.get((int) mark).labelEnds());
  }

  private static boolean passed(int[] positions, int[] ends) {
    for (int p = 0; p < ends.length; p++) {
      if (positions[p] < ends[p]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public @Nullable String behind() {
    return null;
  }
}
