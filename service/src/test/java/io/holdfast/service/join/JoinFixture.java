package io.holdfast.service.join;

import static io.holdfast.service.TopologyRun.header;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Bikes;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.correlate.JoinInput;
import io.holdfast.service.correlate.JoinInputCodec;
import io.holdfast.service.label.OutcomeMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The join's topology. Waits are 10 s throughout. What scoring sends is sent by the tests. */
abstract class JoinFixture {
  static final long SECOND = 1_000;
  static final byte[] HASH = new byte[32];
  static final Duration TURN = Duration.ofMillis(200);
  static final Duration WAIT = Duration.ofSeconds(13); // and the time between two sweeps

  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final Troubles troubles = TopologyRun.troubles();
  final StandInProgress progress = new StandInProgress();
  final ContractCodec<Example> examples = Contracts.EXAMPLE;
  final ContractCodec<Label> labels = new ContractCodec<>(Label.class);
  final List<Double> used = new ArrayList<>();
  ModelSettings settings =
      Bikes.settings("labels.in", "topic", "labels.wait", "10s", "weight", "weight");
  TopologyRun run = start();
  int sent;

  TopologyRun start() {
    return new TopologyRun(
        JoinTopology.of(
            settings,
            new JoinFramings(
                Bikes.FRAMING, RecordFraming.of(Bikes.FRAMING), WrittenFramings.SINGLE.examples()),
            meters,
            troubles,
            progress,
            used::add,
            Stores::inMemoryKeyValueStore));
  }

  void restart(String... values) {
    settings = Bikes.settings(values);
    run.close();
    run = start();
  }

  @AfterEach
  void close() {
    run.close();
  }

  TopologyRun settled() {
    run.advance(TURN);
    return run;
  }

  void record(String key, long time) {
    record(key, Bikes.ride(25, "SUMMER"), time);
  }

  void record(String key, byte[] value, long time) {
    Headers headers = new RecordHeaders();
    var message = new JoinInput.Message(0, sent++, time, time, key.getBytes(UTF_8), value, headers);
    send(key, new JoinInput.Scored(message, 3, HASH, new double[] {2.5}));
  }

  void send(String key, JoinInput input) {
    send("join", key, JoinInputCodec.encode(input), 0);
  }

  void label(String key, double label, long time) {
    send("labels", key, labels.encode(new Label(label, null, null)), time);
  }

  void send(String topic, @Nullable String key, byte @Nullable [] value, long time) {
    run.input("bikes." + topic)
        .pipeInput(
            new TestRecord<>(
                key == null ? null : key.getBytes(UTF_8), value, Instant.ofEpochMilli(time)));
  }

  double labelOf(TestRecord<byte[], byte[]> example) throws Exception {
    return examples.decode(example.value()).getLabel();
  }

  long sourceOf(TestRecord<byte[], byte[]> example) throws Exception {
    return examples.decode(example.value()).getSourceOffset();
  }

  List<String> deadLetters() {
    return run.all("bikes.dead-letters").stream()
        .map(letter -> header(letter, DeadLetterMessage.REASON))
        .toList();
  }

  long held() {
    long held = 0;
    try (var all = run.driver().getKeyValueStore("held-bikes").all()) {
      while (all.hasNext()) {
        held += all.next().key.equals(Place.REACHED) ? 0 : 1;
      }
    }
    return held;
  }

  double count(String outcome) {
    return meters.get(OutcomeMeters.LABELS).tag("outcome", outcome).counter().count();
  }

  double pending(String waitingFor) {
    return meters.get(OutcomeMeters.LABELS_PENDING).tag("for", waitingFor).gauge().value();
  }

  double waiting() {
    return meters.get(OutcomeMeters.RECORDS_PENDING).gauge().value();
  }

  double withoutLabel(String reason) {
    return meters.get(OutcomeMeters.RECORDS_WITHOUT_LABEL).tag("reason", reason).counter().count();
  }
}
