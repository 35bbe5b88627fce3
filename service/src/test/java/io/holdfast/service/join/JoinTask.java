package io.holdfast.service.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import io.holdfast.service.label.LabelOutcome;
import io.holdfast.service.label.RecordOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * One task of the join in a {@link JoinWorld}, run as its processor runs it, with transactions: a
 * crash forgets what was not committed. Every outcome is held against the rule in plain words.
 */
final class JoinTask implements LabelJoin.Outputs {
  /** A message of the join's topic; a record has its own beside it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Input(String key, byte[] value, JoinWorld.@Nullable ARecord record) {}

  private static final long SENT = 0; // when all messages were, so that offsets alone tell

  /** A record that this task has read. */
  private record Known(JoinWorld.ARecord record, long event, int offset) {}

  /** All that a commit keeps. */
  private record Committed(
      Map<Bytes, byte[]> store, int position, List<Known> known, Map<Integer, Integer> labelled) {}

  private final JoinWorld world;
  private final List<Input> topic;
  private final List<Runnable> outbox = new ArrayList<>();
  private final List<Known> known = new ArrayList<>();
  private final Map<Integer, Integer> labelled = new HashMap<>(); // record to label
  private KeyValueStore<Bytes, byte[]> store = store(Map.of());
  private LabelJoin join;
  private Barriers barriers;
  private int position;
  private long lastRead;
  private Committed committed = new Committed(Map.of(), 0, List.of(), Map.of());

  JoinTask(JoinWorld world, List<Input> topic) {
    this.world = world;
    this.topic = topic;
    this.join = new LabelJoin(new HeldStore(store), world.waitMillis, this);
    this.barriers = new Barriers(world, 1_000);
    this.lastRead = join.restored();
  }

  /** Reads so many messages at most. */
  void read(int count) {
    for (int left = count; left > 0 && position < topic.size(); left--) {
      int offset = position++;
      if (!join.hasRead(offset, SENT)) {
        join.read(offset, SENT);
        take(offset, topic.get(offset));
        lastRead = offset;
      }
    }
  }

  private void take(int offset, Input message) {
    JoinInput input = JoinInputCodec.decode(message.value());
    byte[] id = message.key().getBytes(UTF_8);
    long now = world.now();
    JoinWorld.ARecord record = message.record();
    switch (input) {
      case JoinInput.Scored scored -> {
        know(record, scored.record().eventMillis(), offset);
        join.record(
            id, offset, new Held.Waiting(scored.record().eventMillis(), now, message.value()));
      }
      case JoinInput.Unscored(_, _, long event) -> {
        know(record, event, offset);
        join.record(id, offset, new Held.Closed(Held.State.UNSCORED, event, now));
      }
      case JoinInput.Labelled label ->
          join.label(offset, new Held.Label(label.label().eventMillis(), now, id, message.value()));
      case JoinInput.Barrier barrier -> {
        join.pass(barrier);
        join.note();
        var _ = join.work(3);
      }
    }
  }

  private void know(JoinWorld.@Nullable ARecord record, long event, int offset) {
    if (record != null) {
      known.add(new Known(record, event, offset));
    }
  }

  /** What the processor does every 50 ms. */
  void turn() {
    join.note();
    while (join.work(3)) {}
    for (JoinInput.Barrier barrier : barriers.due(world.now(), lastRead, join.undecided() > 0)) {
      outbox.add(() -> topic.add(new Input("", JoinInputCodec.encode(barrier), null)));
    }
  }

  void commit() {
    outbox.forEach(Runnable::run);
    outbox.clear();
    committed = new Committed(contents(), position, List.copyOf(known), new HashMap<>(labelled));
  }

  /**
   * Another goes on from the last commit, or from the beginning if the group's offsets are lost.
   */
  void crash(boolean offsetsLost) {
    outbox.clear();
    store = store(committed.store());
    position = offsetsLost ? 0 : committed.position();
    known.clear();
    known.addAll(committed.known());
    labelled.clear();
    labelled.putAll(committed.labelled());
    join = new LabelJoin(new HeldStore(store), world.waitMillis, this);
    barriers = new Barriers(world, 1_000);
    lastRead = join.restored();
  }

  /** Records that wait for their label. */
  long waiting() {
    return join.waiting();
  }

  int held() {
    Map<Bytes, byte[]> held = contents();
    held.remove(Place.REACHED);
    return held.size();
  }

  @Override
  public void example(byte[] scored, byte[] labelBytes) {
    JoinInput.Message record = ((JoinInput.Scored) JoinInputCodec.decode(scored)).record();
    JoinInput.Message label = label(labelBytes);
    JoinWorld.ALabel of = world.label(label.offset());
    assertThat(Math.abs(label.eventMillis() - record.eventMillis()))
        .isLessThanOrEqualTo(world.waitMillis);
    assertRule(of, label.eventMillis(), LabelOutcome.USED, (int) record.offset());
    assertThat(labelled.put((int) record.offset(), of.number()))
        .as("a record takes one label")
        .isNull();
    outbox.add(() -> world.outcome(of, LabelOutcome.USED.name()));
  }

  @Override
  public void unused(
      byte[] id, byte[] labelBytes, LabelOutcome outcome, @Nullable Long recordEventMillis) {
    JoinInput.Message label = label(labelBytes);
    JoinWorld.ALabel of = world.label(label.offset());
    assertThat(new String(id, UTF_8)).isEqualTo(of.key());
    assertRule(of, label.eventMillis(), outcome, -1);
    outbox.add(() -> world.outcome(of, outcome.name()));
  }

  @Override
  public void unlabelled(RecordOutcome outcome) {
    outbox.add(() -> world.without(outcome));
  }

  private static JoinInput.Message label(byte[] bytes) {
    return ((JoinInput.Labelled) JoinInputCodec.decode(bytes)).label();
  }

  /** The rule: the newest record not after the label, or else the oldest after it. */
  private void assertRule(JoinWorld.ALabel label, long time, LabelOutcome outcome, int record) {
    List<Known> ofKey = known.stream().filter(k -> k.record().key().equals(label.key())).toList();
    assertThat(ofKey.stream().map(Known::record).toList())
        .as("all records that were there when the label came have been read")
        .containsAll(label.before());
    if (world.forgets) {
      return;
    }
    Comparator<Known> byTime = Comparator.comparingLong(Known::event);
    Comparator<Known> order = byTime.thenComparingInt(Known::offset);
    Optional<Known> before = ofKey.stream().filter(k -> k.event() <= time).max(order);
    Optional<Known> inTime = before.filter(k -> time - k.event() <= world.waitMillis);
    Optional<Known> after =
        ofKey.stream()
            .filter(k -> k.event() > time && k.event() - time <= world.waitMillis)
            .min(order);
    Optional<Known> its = Stream.of(inTime, after).flatMap(Optional::stream).findFirst();
    if (its.isEmpty()) {
      assertThat(outcome).isEqualTo(before.isEmpty() ? LabelOutcome.ORPHAN : LabelOutcome.LATE);
      return;
    }
    JoinWorld.ARecord expected = its.get().record();
    if (expected.bad()) {
      assertThat(outcome).isEqualTo(LabelOutcome.UNSCORED);
    } else if (labelled.containsKey(expected.number())) {
      assertThat(outcome).isEqualTo(LabelOutcome.DUPLICATE);
    } else {
      assertThat(outcome).isEqualTo(LabelOutcome.USED);
      assertThat(record).as("the record of the label").isEqualTo(expected.number());
    }
  }

  private Map<Bytes, byte[]> contents() {
    Map<Bytes, byte[]> contents = new LinkedHashMap<>();
    try (var all = store.all()) {
      all.forEachRemaining(entry -> contents.put(entry.key, entry.value));
    }
    return contents;
  }

  private static KeyValueStore<Bytes, byte[]> store(Map<Bytes, byte[]> contents) {
    KeyValueStore<Bytes, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("held"), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
    contents.forEach(store::put);
    return store;
  }
}
