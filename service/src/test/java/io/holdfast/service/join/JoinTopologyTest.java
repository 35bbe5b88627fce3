package io.holdfast.service.join;

import static io.holdfast.service.TopologyRun.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.service.Bikes;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.label.LabelMeters;
import io.holdfast.service.route.DeadLetters;
import io.holdfast.service.route.MessageSize;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waits are 10 s of event time throughout. */
final class JoinTopologyTest {
  private static final long SECOND = 1_000;
  private static final byte[] HASH = new byte[32];

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ContractCodec<Example> examples = new ContractCodec<>(Example.class);
  private final ContractCodec<Label> labels = new ContractCodec<>(Label.class);
  private final ContractCodec<Score> scores = new ContractCodec<>(Score.class);
  private ModelSettings settings =
      Bikes.settings("labels.in", "topic", "labels.wait", "10s", "weight", "weight");
  private TopologyRun run = start();

  private TopologyRun start() {
    return new TopologyRun(
        JoinTopology.of(List.of(settings), Bikes.FRAMING, meters, Stores::inMemoryKeyValueStore));
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void recordScoreLabel_makeAnExample() throws Exception {
    byte[] ride = Bikes.ride(25.0, "SUMMER", null, 2.0);
    send("records", "a", ride, 1 * SECOND);
    score("a", 0, 1 * SECOND);
    label("a", 7, 4 * SECOND);

    TestRecord<byte[], byte[]> output = run.read("bikes.examples");
    Example example = examples.decode(output.value());
    assertThat(output.key()).isEqualTo("a".getBytes(UTF_8));
    assertThat(output.timestamp()).isEqualTo(4 * SECOND);
    assertThat(example.getRecord().array()).isEqualTo(ride);
    assertThat(example.getLabel()).isEqualTo(7);
    assertThat(example.getEnvironment()).isEqualTo("SUMMER");
    assertThat(example.getWeight()).isEqualTo(2);
    assertThat(example.getServedVersion()).isEqualTo(3);
    assertThat(example.getServedHash().bytes()).isEqualTo(HASH);
    assertThat(example.getServedRawScores()).containsExactly(2.5);
    assertThat(example.getSourcePartition()).isZero();
    assertThat(example.getSourceOffset()).isZero();
    assertThat(count("USED")).isEqualTo(1);
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void anyOrder_makesTheSameExample() throws Exception {
    byte[] ride = Bikes.ride(25, "SUMMER");
    List<Runnable> parts =
        List.of(
            () -> send("records", "a", ride, SECOND),
            () -> score("a", 0, SECOND),
            () -> label("a", 7, 2 * SECOND));
    for (int[] order :
        new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      run.close();
      run = start();
      for (int part : order) {
        parts.get(part).run();
      }
      Example example = examples.decode(run.read("bikes.examples").value());
      assertThat(example.getLabel()).isEqualTo(7);
      assertThat(run.all("bikes.examples")).isEmpty();
      assertThat(deadLetters()).isEmpty();
    }
  }

  @Test
  void labelOfTheUsersOwn_isReadByItsPath() throws Exception {
    record("a", SECOND);
    score("a", 0, SECOND);
    send("labels", "a", Bikes.counted(7.0, "WINTER"), SECOND);

    Example example = examples.decode(run.read("bikes.examples").value());
    assertThat(example.getLabel()).isEqualTo(7);
    assertThat(example.getEnvironment()).as("the label's own environment wins").isEqualTo("WINTER");
  }

  @Test
  void labelContract_overridesEnvironmentAndWeight() throws Exception {
    record("a", SECOND);
    score("a", 0, SECOND);
    send("labels", "a", labels.encode(new Label(7.0, "AUTUMN", 3.0)), SECOND);

    Example example = examples.decode(run.read("bikes.examples").value());
    assertThat(example.getEnvironment()).isEqualTo("AUTUMN");
    assertThat(example.getWeight()).isEqualTo(3);
  }

  @Test
  void anchors_comeWithTheLabelOrTheRecord() throws Exception {
    settings =
        Bikes.settings("labels.in", "topic", "labels.wait", "10s", "anchors", "temperature,weight");
    run.close();
    run = start();
    // The record alone has a temperature; the label's own weight wins.
    send("records", "a", Bikes.ride(25.0, "SUMMER", null, 2.0), SECOND);
    score("a", 0, SECOND);
    send("labels", "a", Bikes.counted(7.0, null, 4.0), SECOND);
    // Nobody says the weight.
    send("records", "b", Bikes.ride(25.0, "SUMMER", null, null), SECOND);
    score("b", 1, SECOND);
    send("labels", "b", Bikes.counted(7.0, null), SECOND);

    Example example = examples.decode(run.read("bikes.examples").value());
    assertThat(example.getAnchors()).containsExactly(25.0, 4.0);
    assertThat(run.all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("BAD_ANCHOR");
    assertThat(count("MALFORMED")).isEqualTo(1);
  }

  @Test
  void secondLabel_isADuplicate() {
    record("a", SECOND);
    score("a", 0, SECOND);
    label("a", 7, 2 * SECOND);
    label("a", 8, 3 * SECOND);

    assertThat(run.all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("DUPLICATE");
  }

  @Test
  void secondLabelBeforeTheRecord_isADuplicate() throws Exception {
    label("a", 7, SECOND);
    label("a", 8, 2 * SECOND);
    record("a", 3 * SECOND);
    score("a", 0, 3 * SECOND);

    assertThat(examples.decode(run.read("bikes.examples").value()).getLabel()).isEqualTo(7);
    assertThat(deadLetters()).containsExactly("DUPLICATE");
  }

  @Test
  void labelAtTheEndOfTheWait_isUsedAndAfterItLate() {
    record("a", SECOND);
    record("b", SECOND);
    score("a", 0, SECOND);
    score("b", 1, SECOND);
    label("a", 7, 11 * SECOND);
    label("b", 7, 11 * SECOND + 1);

    assertThat(run.all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("LATE");
    assertThat(withoutLabel("UNLABELLED")).isEqualTo(1);
  }

  @Test
  void labelLongAfterItsRecord_isAnOrphanOnceItHasWaited() {
    record("a", SECOND);
    score("a", 0, SECOND);
    label("a", 7, 30 * SECOND);
    assertThat(deadLetters()).isEmpty();

    record("b", 41 * SECOND);

    assertThat(deadLetters()).containsExactly("ORPHAN");
  }

  @Test
  void orphan_keepsItsKeyValueHeadersAndTime() {
    byte[] value = labels.encode(new Label(7.0, null, null));
    var headers = new RecordHeaders().add("trace", "1".getBytes(UTF_8));
    run.input("bikes.labels")
        .pipeInput(
            new TestRecord<>("a".getBytes(UTF_8), value, headers, Instant.ofEpochMilli(SECOND)));
    record("b", 60 * SECOND);

    TestRecord<byte[], byte[]> letter = run.read("bikes.dead-letters");
    assertThat(letter.key()).isEqualTo("a".getBytes(UTF_8));
    assertThat(letter.value()).isEqualTo(value);
    assertThat(letter.timestamp()).isEqualTo(SECOND);
    assertThat(header(letter, "trace")).isEqualTo("1");
    assertThat(header(letter, DeadLetters.TOPIC)).isEqualTo("bikes.labels");
    assertThat(header(letter, DeadLetters.OFFSET)).isEqualTo("0");
    assertThat(header(letter, DeadLetters.REASON)).isEqualTo("ORPHAN");
    assertThat(header(letter, DeadLetters.MESSAGE)).contains("within PT10S");
  }

  @Test
  void sameKeyAgain_newerRecordTakesTheLabel() throws Exception {
    record("a", SECOND);
    record("a", 2 * SECOND);
    score("a", 0, SECOND);
    score("a", 1, 2 * SECOND);
    label("a", 7, 3 * SECOND);

    assertThat(examples.decode(run.read("bikes.examples").value()).getSourceOffset()).isEqualTo(1);
    assertThat(withoutLabel("SUPERSEDED")).isEqualTo(1);
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void sameKeyAfterItsLabel_isANewPair() throws Exception {
    for (int round = 0; round < 3; round++) {
      record("a", (3 * round + 1) * SECOND);
      label("a", round, (3 * round + 2) * SECOND);
    }
    // Scores come late: scoring was down.
    for (int round = 0; round < 3; round++) {
      score("a", round, (3 * round + 1) * SECOND);
    }

    for (int round = 0; round < 3; round++) {
      Example example = examples.decode(run.read("bikes.examples").value());
      assertThat(example.getSourceOffset()).isEqualTo(round);
      assertThat(example.getLabel()).isEqualTo(round);
    }
    assertThat(deadLetters()).isEmpty();
    assertThat(withoutLabel("SUPERSEDED")).isZero();
  }

  @Test
  void recordThatWasNeverScored_makesItsLabelUnscored() {
    record("a", SECOND);
    label("a", 7, 2 * SECOND);
    record("b", 60 * SECOND);

    assertThat(run.all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("UNSCORED");
  }

  @Test
  void labelWithoutKey_isADeadLetter() {
    run.input("bikes.labels")
        .pipeInput(new TestRecord<>(null, labels.encode(new Label(7.0, null, null))));

    assertThat(deadLetters()).containsExactly("NO_KEY");
  }

  @Test
  void recordWithoutKey_isCounted() {
    run.input("bikes.records").pipeInput(new TestRecord<>(null, Bikes.ride(1, "SUMMER")));

    assertThat(withoutLabel("NO_KEY")).isEqualTo(1);
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void badLabels_areDeadLettersByReasonAndTheRecordGoesOnWaiting() {
    record("a", SECOND);
    score("a", 0, SECOND);
    send("labels", "a", "not avro".getBytes(UTF_8), SECOND);
    send("labels", "a", Bikes.counted(null, null), SECOND);
    send("labels", "a", Bikes.counted("many", null), SECOND);
    send("labels", "a", Bikes.counted(Double.NaN, null), SECOND);
    send("labels", "a", labels.encode(new Label(1.0, null, 0.0)), SECOND);
    send("labels", "a", null, SECOND);
    label("a", 7, 2 * SECOND);

    assertThat(run.all("bikes.examples")).hasSize(1);
    assertThat(deadLetters())
        .containsExactly(
            "UNKNOWN_FRAMING", "MISSING_LABEL", "BAD_LABEL", "BAD_LABEL", "BAD_WEIGHT", "NO_VALUE");
    assertThat(count("MALFORMED")).isEqualTo(6);
  }

  @Test
  void binaryObjective_takesZeroAndOneOnly() {
    settings = Bikes.settings("objective", "logistic", "labels.in", "topic", "labels.wait", "10s");
    run.close();
    run = start();
    record("a", SECOND);
    score("a", 0, SECOND);
    label("a", 2, SECOND);
    label("a", 1, SECOND);

    assertThat(run.all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("BAD_LABEL");
  }

  @Test
  void recordWithABadWeight_costsItsLabel() {
    send("records", "a", Bikes.ride(25.0, "SUMMER", null, -1.0), SECOND);
    score("a", 0, SECOND);
    label("a", 7, SECOND);

    assertThat(run.all("bikes.examples")).isEmpty();
    assertThat(deadLetters()).containsExactly("BAD_WEIGHT");
  }

  @Test
  void scoreThatIsNoScore_isADeadLetter() {
    send("scores", "a", "not avro".getBytes(UTF_8), SECOND);

    assertThat(deadLetters()).containsExactly("UNKNOWN_FRAMING");
  }

  @Test
  void messagesTooLargeToBeWrittenAgain_areNotHeld() {
    send("records", "a", new byte[MessageSize.MAX_BYTES], SECOND);
    send("labels", "a", new byte[MessageSize.MAX_BYTES], SECOND);
    label("a", 7, SECOND);
    record("b", 60 * SECOND);

    assertThat(deadLetters()).containsExactly("LIMIT_EXCEEDED", "ORPHAN");
  }

  @Test
  void whatEnded_leavesTheStore() {
    for (int i = 0; i < 500; i++) {
      long time = i * SECOND;
      record("r" + i, time);
      score("r" + i, i, time);
      label("l" + i, 7, time);
      if (i % 3 == 0) {
        label("r" + i, 7, time);
      }
    }

    // Two waits of 10 s at one record, one label and their index entries a second.
    var store = run.driver().getKeyValueStore("pending-bikes");
    long held = 0;
    try (var all = store.all()) {
      while (all.hasNext()) {
        all.next();
        held++;
      }
    }
    assertThat(held).isBetween(40L, 100L);
    assertThat(count("ORPHAN")).isGreaterThan(480);
  }

  @Test
  void persistentStore_joinsToo() {
    run.close();
    run = new TopologyRun(JoinTopology.of(List.of(settings), Bikes.FRAMING, meters));
    record("a", SECOND);
    score("a", 0, SECOND);
    label("a", 7, 2 * SECOND);
    label("b", 7, 2 * SECOND);
    record("c", 60 * SECOND);

    assertThat(run.all("bikes.examples")).hasSize(1);
    assertThat(deadLetters()).containsExactly("ORPHAN");
  }

  private void record(String key, long time) {
    send("records", key, Bikes.ride(25, "SUMMER"), time);
  }

  private void score(String key, long offset, long time) {
    Score score =
        new Score(
            "bikes",
            3L,
            new Sha256Digest(HASH),
            2.5,
            List.of(),
            List.of(2.5),
            "bikes.records",
            0,
            offset);
    send("scores", key, scores.encode(score), time);
  }

  private void label(String key, double label, long time) {
    send("labels", key, labels.encode(new Label(label, null, null)), time);
  }

  private void send(String topic, String key, byte @Nullable [] value, long time) {
    run.input("bikes." + topic)
        .pipeInput(new TestRecord<>(key.getBytes(UTF_8), value, Instant.ofEpochMilli(time)));
  }

  private List<String> deadLetters() {
    return run.all("bikes.dead-letters").stream()
        .map(letter -> header(letter, DeadLetters.REASON))
        .toList();
  }

  private double count(String outcome) {
    return meters.get(LabelMeters.NAME).tag("outcome", outcome).counter().count();
  }

  private double withoutLabel(String reason) {
    return meters.get("holdfast.records.without.label").tag("reason", reason).counter().count();
  }
}
