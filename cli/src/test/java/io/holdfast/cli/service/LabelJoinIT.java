package io.holdfast.cli.service;

import static io.holdfast.cli.service.Installation.PATIENCE;
import static io.holdfast.cli.service.Installation.ride;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Labels in a topic of their own find their record on a real broker: in bursts, over a restart,
 * whatever the producers' partitioners, clocks and transactions. Labels have fewer partitions than
 * records. Each test has keys of its own.
 */
class LabelJoinIT {
  private static final ContractCodec<Example> EXAMPLES = Contracts.EXAMPLE;
  private static final ContractCodec<Label> LABELS = new ContractCodec<>(Label.class);
  private static final int BURST = 20_000;

  @TempDir static Path folder;
  private static Installation at;
  private static Service service;
  private static KafkaProducer<String, byte[]> producer;
  private static int examples;

  @BeforeAll
  static void startBroker() throws Exception {
    at = new Installation(folder);
    at.createTopic("apart.labels", 2);
    at.createTopics();
    at.publish("inside", 0, 0);
    at.publish("apart", 0, 0);
    producer = producer(Map.of());
    service = Service.start(at.settings());
    await().atMost(PATIENCE).until(service::ready);
  }

  @AfterAll
  static void stop() {
    service.close();
    producer.close();
    at.close();
  }

  @Test
  void sameKeysAgainThenAllLabelsAtOnce_eachTakesTheNewerRecord() throws Exception {
    long now = Clock.systemUTC().millis() - 20_000;
    for (int row = 0; row < BURST; row++) {
      record("burst" + row, row, now);
    }
    producer.flush();
    at.readAll("apart.scores", BURST);
    for (int row = 0; row < BURST; row++) {
      record("burst" + row, row + 0.5, now + 12_000);
    }
    producer.flush();
    for (int row = 0; row < BURST; row++) {
      label("burst" + row, row, now + 13_000);
    }
    producer.flush();
    service.close(); // and over a restart
    service = Service.start(at.settings());

    Map<String, Example> joined = joined(BURST);
    for (int row = 0; row < BURST; row++) {
      Example example = joined.get("burst" + row);
      assertThat(example.getLabel()).isEqualTo(row);
      assertThat(example.getRecord().array()).isEqualTo(ride(row + 0.5, null));
    }
    assertThat(letters("burst")).isEmpty();
  }

  @Test
  void producersThatPartitionDifferently_allPairsMeet() throws Exception {
    int rows = 120;
    long now = Clock.systemUTC().millis();
    for (int row = 0; row < rows; row++) {
      String key = "crc" + row;
      CRC32 crc = new CRC32(); // as librdkafka does by default
      crc.update(key.getBytes(UTF_8));
      int partition = (int) (crc.getValue() % Installation.PARTITIONS);
      var _ =
          producer.send(
              new ProducerRecord<>("apart.records", partition, now, key, ride(row, null)));
      label(key, row, now + 1);
    }
    producer.flush();

    Map<String, Example> joined = joined(rows);
    for (int row = 0; row < rows; row++) {
      assertThat(joined.get("crc" + row).getLabel()).isEqualTo(row);
    }
    assertThat(letters("crc")).isEmpty();
  }

  @Test
  void recordAndLabelFarAhead_holdNothingUpAndAreSaid() throws Exception {
    long now = Clock.systemUTC().millis();
    record("ahead", 1, now + 50 * 60_000);
    producer.flush();
    at.readAll("apart.scores", 1);
    record("skew1", 1, now);
    record("skew2", 2, now);
    label("skew1", 1, now + 1);
    label("skew2", 2, now + 55 * 60_000);
    label("ahead", 3, now + 2);
    producer.flush();

    Map<String, Example> joined = joined(3);
    assertThat(joined.get("skew1").getLabel()).isEqualTo(1);
    assertThat(joined.get("skew2").getLabel()).isEqualTo(2);
    assertThat(joined.get("ahead").getLabel()).isEqualTo(3);
    assertThat(letters("skew")).isEmpty();
    assertThat(service.status().troubles())
        .filteredOn(trouble -> trouble.kind() == TroubleKind.CLOCK_AHEAD)
        .singleElement()
        .satisfies(
            trouble ->
                assertThat(trouble.sentence()).contains("more than 10 s ahead", "partition"));
  }

  @Test
  void recordsInTransactions_theLastOfThemAborted_holdNoLabelBack() throws Exception {
    long now = Clock.systemUTC().millis();
    try (var transactional = producer(Map.of("transactional.id", "upstream"))) {
      transactional.initTransactions();
      transactional.beginTransaction();
      var _ =
          transactional.send(
              new ProducerRecord<>("apart.records", null, now, "tx1", ride(1, null)));
      transactional.commitTransaction();
      transactional.beginTransaction();
      for (int partition = 0; partition < Installation.PARTITIONS; partition++) {
        var _ =
            transactional.send(
                new ProducerRecord<>("apart.records", partition, now, "tx2", ride(2, null)));
      }
      transactional.flush();
      transactional.abortTransaction();
    }
    label("tx1", 1, now + 1);
    producer.flush();

    assertThat(joined(1).get("tx1").getLabel()).isEqualTo(1);
  }

  /** A second service takes partitions while labels wait, and is gone while others still do. */
  @Test
  void partitionsThatMoveBetweenServices_takeTheirWaitingLabelsAlong() throws Exception {
    int rows = 900;
    long now = Clock.systemUTC().millis() - 20_000;
    moved(0, rows, 0, now);
    try (Service second = Service.start(second())) {
      moved(0, rows, 0.5, now + 12_000);
      for (int row = 0; row < rows / 3; row++) {
        label("moved" + row, row, now + 13_000);
      }
      await().atMost(PATIENCE).until(() -> second.ready() && service.ready());
      for (int row = rows / 3; row < 2 * rows / 3; row++) {
        label("moved" + row, row, now + 13_000);
      }
      producer.flush();
    }
    for (int row = 2 * rows / 3; row < rows; row++) {
      label("moved" + row, row, now + 13_000);
    }
    producer.flush();

    Map<String, Example> joined = joined(rows);
    for (int row = 0; row < rows; row++) {
      Example example = joined.get("moved" + row);
      assertThat(example.getLabel()).isEqualTo(row);
      assertThat(example.getRecord().array()).as("row " + row).isEqualTo(ride(row + 0.5, null));
    }
    assertThat(letters("moved")).isEmpty();
  }

  private static void moved(int from, int to, double more, long time) {
    for (int row = from; row < to; row++) {
      record("moved" + row, row + more, time);
    }
    producer.flush();
  }

  private static Settings second() throws Exception {
    String state = folder.resolve("state").toString();
    String config = Files.readString(at.config()).replace(state, state + "-two, instanceId: two");
    return Settings.read(Files.writeString(folder.resolve("two.yml"), config), Map.of());
  }

  @Test
  void labelOfARecordThatCouldNotBeScored_isUnscored_thoughAnOlderOneWas() throws Exception {
    long now = Clock.systemUTC().millis();
    record("bad1", 1, now - 5);
    var _ =
        producer.send(
            new ProducerRecord<>("apart.records", null, now, "bad1", "not avro".getBytes(UTF_8)));
    label("bad1", 1, now + 1);
    producer.flush();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(letters("bad"))
                    .extracting(LabelJoinIT::reason)
                    .containsExactlyInAnyOrder("UNKNOWN_FRAMING", "UNSCORED"));
  }

  private static String reason(ConsumerRecord<String, byte[]> letter) {
    return new String(letter.headers().lastHeader("holdfast.reason").value(), UTF_8);
  }

  private static KafkaProducer<String, byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", at.settings().kafka().get("bootstrap.servers"));
    return new KafkaProducer<>(all, new StringSerializer(), new ByteArraySerializer());
  }

  private static void record(String key, double temperature, long time) {
    var _ =
        producer.send(
            new ProducerRecord<>("apart.records", null, time, key, ride(temperature, null)));
  }

  private static void label(String key, double label, long time) {
    byte[] value = LABELS.encode(new Label(label, null, null));
    var _ = producer.send(new ProducerRecord<>("apart.labels", null, time, key, value));
  }

  /** All examples by key, once there are so many more than before. */
  private static Map<String, Example> joined(int more) throws Exception {
    examples += more;
    List<ConsumerRecord<String, byte[]>> all = at.readAll("apart.examples", examples);
    assertThat(all).hasSize(examples);
    Map<String, Example> byKey = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : all) {
      Example example = EXAMPLES.decode(record.value());
      assertThat(byKey.put(record.key(), example)).as(record.key()).isNull();
      assertThat(record.partition()).isEqualTo(example.getSourcePartition());
    }
    return byKey;
  }

  /** Dead letters whose key begins so. */
  private static List<ConsumerRecord<String, byte[]>> letters(String prefix) {
    return at.readToTheEnd("apart.dead-letters").stream()
        .filter(letter -> letter.key().startsWith(prefix))
        .toList();
  }
}
