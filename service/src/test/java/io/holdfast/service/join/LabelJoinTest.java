package io.holdfast.service.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.service.label.LabelOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every interleaving of records, scores and labels. */
final class LabelJoinTest {
  private static final long WAIT = 100;
  private static final long FOREVER = 1_000_000;

  /** Something that arrives: the newest stream time is what came with it or before it. */
  private sealed interface Arrival {
    long time();

    record ARecord(String key, long offset, long time) implements Arrival {}

    record AScore(String key, long offset, long time) implements Arrival {}

    record ALabel(String key, long offset, long time) implements Arrival {}
  }

  /** What left the join. */
  private static final class Collected implements LabelJoin.Outputs {
    final Map<Long, String> labels = new HashMap<>();
    final Set<Long> recordsUsed = new HashSet<>();
    final Map<RecordOutcome, Integer> records = new EnumMap<>(RecordOutcome.class);

    @Override
    public void example(byte[] key, Message record, byte[] score, Message label) {
      String name = new String(key, UTF_8);
      assertThat(new String(record.value(), UTF_8)).isEqualTo("record " + name);
      assertThat(new String(label.value(), UTF_8)).isEqualTo("label " + name);
      assertThat(new String(score, UTF_8)).isEqualTo("score " + record.offset());
      assertThat(label.timestampMillis()).isLessThanOrEqualTo(record.timestampMillis() + WAIT);
      assertThat(recordsUsed.add(record.offset())).as("a record has one label").isTrue();
      once(label, "USED by " + record.offset());
    }

    @Override
    public void unused(byte @Nullable [] key, Message label, LabelOutcome outcome) {
      once(label, outcome.name());
    }

    @Override
    public void unlabelled(RecordOutcome outcome) {
      records.merge(outcome, 1, Integer::sum);
    }

    private void once(Message label, String outcome) {
      assertThat(labels.put(label.offset(), outcome)).as("a label leaves once").isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void anyInterleaving_eachLabelLeavesOnceAndNothingStays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      List<Arrival> arrivals = arrivals(random);
      Collected swept = new Collected();
      Collected unswept = new Collected();

      int left = run(arrivals, swept, random.split());
      int leftUnswept = run(arrivals, unswept, null);

      long labels = arrivals.stream().filter(Arrival.ALabel.class::isInstance).count();
      long records = arrivals.stream().filter(Arrival.ARecord.class::isInstance).count();
      assertThat(left).isZero();
      assertThat(leftUnswept).isZero();
      assertThat(swept.labels).hasSize((int) labels);
      assertThat(swept.labels).as("sweeping is not to be noticed").isEqualTo(unswept.labels);
      assertThat(swept.records).isEqualTo(unswept.records);
      long unscored = swept.labels.values().stream().filter("UNSCORED"::equals).count();
      long unlabelled = swept.records.values().stream().mapToInt(Integer::intValue).sum();
      assertThat(swept.recordsUsed.size() + unscored + unlabelled).isEqualTo(records);
    }
  }

  private static int run(
      List<Arrival> arrivals, Collected outputs, @Nullable SplittableRandom sweeps) {
    KeyValueStore<Bytes, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("held"), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
    LabelJoin join = new LabelJoin(new HeldStore(store), WAIT, outputs);
    long now = 0;
    for (Arrival arrival : arrivals) {
      now = Math.max(now, arrival.time());
      if (sweeps != null && sweeps.nextInt(4) == 0) {
        join.expire(now);
      }
      switch (arrival) {
        case Arrival.ARecord(String key, long offset, long time) ->
            join.record(key.getBytes(UTF_8), message(offset, time, "record " + key), now);
        case Arrival.AScore(String key, long offset, long time) ->
            join.score(key.getBytes(UTF_8), offset, message(offset, time, "score " + offset), now);
        case Arrival.ALabel(String key, long offset, long time) ->
            join.label(key.getBytes(UTF_8), message(offset, time, "label " + key), now);
      }
    }
    join.expire(FOREVER);
    join.expire(2 * FOREVER);
    List<Object> left = new ArrayList<>();
    try (var all = store.all()) {
      all.forEachRemaining(left::add);
    }
    return left.size();
  }

  /** Three topics, each in its own order, read in any order among them. */
  private static List<Arrival> arrivals(SplittableRandom random) {
    List<Arrival> records = new ArrayList<>();
    List<Arrival> scores = new ArrayList<>();
    List<Arrival> labels = new ArrayList<>();
    int rows = 1 + random.nextInt(40);
    int keys = 1 + random.nextInt(12);
    for (int row = 0; row < rows; row++) {
      String key = "k" + random.nextInt(keys);
      long time = 10L * row + random.nextInt(60);
      records.add(new Arrival.ARecord(key, row, time));
      if (random.nextInt(8) > 0) {
        scores.add(new Arrival.AScore(key, row, time));
      }
      for (int count = random.nextInt(3); count > 0; count--) {
        String other = random.nextInt(10) == 0 ? "none" : key;
        labels.add(
            new Arrival.ALabel(other, labels.size(), Math.max(0, time - 40 + random.nextInt(200))));
      }
    }
    List<List<Arrival>> topics = Arrays.asList(records, scores, labels);
    int[] next = new int[3];
    List<Arrival> merged = new ArrayList<>();
    while (merged.size() < records.size() + scores.size() + labels.size()) {
      int topic = random.nextInt(3);
      int burst = 1 + random.nextInt(6);
      while (burst-- > 0 && next[topic] < topics.get(topic).size()) {
        merged.add(topics.get(topic).get(next[topic]++));
      }
    }
    return merged;
  }

  private static Message message(long offset, long time, String value) {
    return new Message(offset, time, value.getBytes(UTF_8), new RecordHeaders());
  }
}
