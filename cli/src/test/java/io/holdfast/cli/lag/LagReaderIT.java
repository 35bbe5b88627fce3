package io.holdfast.cli.lag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.lag.Lag;
import io.holdfast.schemas.lag.LagReader;
import io.holdfast.schemas.lag.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** How far a group is behind on a real broker, by a clock of the test's own. */
class LagReaderIT {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** A time that no record is of: long ago. */
  private static final long EVENT = 1_000_000_000_000L;

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static Admin admin;

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private String topic = "";
  private int partitions;
  private LagReader reader;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  @AfterAll
  static void stopBroker() {
    admin.close();
    broker.close();
  }

  @AfterEach
  void close() {
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
    if (reader != null) {
      reader.close();
    }
  }

  @Test
  void recordsOfOneTransactionEach_areCountedWithoutTheirMarkers(TestInfo test) throws Exception {
    open(test, 1, 1);
    for (int row = 0; row < 50; row++) {
      transact(1, true);
    }
    assertThat(look().rows()).isEqualTo(50);

    commit(0, 2 * 50 - 1); // behind the last record, before its marker
    assertThat(look()).isEqualTo(new Lag(0, Duration.ZERO, true));
    tick(300);
    assertThat(look().waited()).as("a marker does not wait").isZero();
  }

  @Test
  void recordsOfOpenAndAbortedTransactions_doNotWait(TestInfo test) throws Exception {
    open(test, 1, 1);
    transact(7, true);
    transact(20, false);
    producer.beginTransaction();
    send(30);
    producer.flush();
    assertThat(look().rows()).isEqualTo(7);

    producer.commitTransaction();
    awaitMarkers();
    assertThat(look().rows()).isEqualTo(37);
  }

  @Test
  void burst_isCountedOrEstimatedAndWaitsSinceItCame(TestInfo test) throws Exception {
    open(test, 1, 1);
    assertThat(look()).isEqualTo(new Lag(0, Duration.ZERO, true));
    tick(100);
    transact(30_000, true);
    assertThat(look().rows()).isCloseTo(30_000, within(10L));
    tick(40);
    assertThat(look().waited()).isEqualTo(Duration.ofSeconds(40));

    commit(0, 20_000);
    assertThat(look().rows()).isCloseTo(10_000, within(10L));
    assertThat(look().waited()).as("all came at once").isEqualTo(Duration.ofSeconds(40));
    commit(0, 30_000);
    assertThat(look()).isEqualTo(new Lag(0, Duration.ZERO, true));
  }

  @Test
  void wait_isThatOfTheOldestThatIsUnread_whateverItsEventTime(TestInfo test) throws Exception {
    open(test, 2, 1);
    look();
    for (int step = 0; step < 4; step++) {
      tick(10);
      transact(10, true);
      look();
    }
    assertThat(look().rows()).isEqualTo(40);
    assertThat(look().waited()).isEqualTo(Duration.ofSeconds(30));

    commit(0, 6); // the first batch of both partitions: 5 records and a marker each
    commit(1, 6);
    assertThat(look().waited()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void fewerThanABatch_waitForOthersAndAreNotLate(TestInfo test) throws Exception {
    open(test, 1, 100);
    look();
    transact(60, true);
    look();
    tick(500);
    assertThat(look()).as("nobody learns").isEqualTo(new Lag(60, Duration.ofSeconds(500), true));

    try (KafkaConsumer<byte[], byte[]> member = member()) {
      member.subscribe(List.of(topic));
      await()
          .atMost(LIMIT)
          .pollInSameThread()
          .until(() -> !member.poll(POLL).isEmpty() || !member.assignment().isEmpty());
      assertThat(look()).isEqualTo(new Lag(60, Duration.ZERO, false));
      transact(40, true);
      look();
      tick(30);
      assertThat(look()).isEqualTo(new Lag(100, Duration.ofSeconds(30), false));
    }
  }

  @Test
  void backlogFromBeforeTheFirstLook_isAsOldAsItsRecordsWhereTheyAreOfNow(TestInfo test)
      throws Exception {
    open(test, 1, 1);
    sendAt(now.minusSeconds(1_020));
    sendAt(now.minusSeconds(2));
    assertThat(look().waited()).isEqualTo(Duration.ofMinutes(17));
  }

  @Test
  void replayOfThePast_isAsOldAsItWasSeen(TestInfo test) throws Exception {
    open(test, 1, 1);
    transact(10, true);
    look();
    tick(5);
    assertThat(look().waited()).isEqualTo(Duration.ofSeconds(5));
  }

  private KafkaConsumer<byte[], byte[]> member() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "group.id", topic + "-members"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private void open(TestInfo test, int partitionCount, int batch) throws Exception {
    partitions = partitionCount;
    topic = test.getTestMethod().orElseThrow().getName();
    admin
        .createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
        .all()
        .get();
    Stage stage =
        new Stage("m", Stage.Kind.TRAIN, topic, topic + "-members", List.of(topic), batch, LIMIT);
    reader =
        new LagReader(
            Map.of("bootstrap.servers", broker.bootstrapServers()), List.of(stage), () -> now);
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", broker.bootstrapServers());
    config.put("transactional.id", topic);
    producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
  }

  private Lag look() throws InterruptedException {
    return reader.look().values().iterator().next();
  }

  private void tick(int seconds) {
    now = now.plusSeconds(seconds);
  }

  private void transact(int records, boolean commit) {
    producer.beginTransaction();
    send(records);
    if (commit) {
      producer.commitTransaction();
    } else {
      producer.flush();
      producer.abortTransaction();
    }
    awaitMarkers();
  }

  /** They are written a moment after the producer has its answer. */
  private void awaitMarkers() {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                ends(IsolationLevel.READ_COMMITTED).equals(ends(IsolationLevel.READ_UNCOMMITTED)));
  }

  private List<Long> ends(IsolationLevel level) throws Exception {
    List<Long> ends = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      TopicPartition asked = new TopicPartition(topic, partition);
      ends.add(
          admin
              .listOffsets(Map.of(asked, OffsetSpec.latest()), new ListOffsetsOptions(level))
              .partitionResult(asked)
              .get()
              .offset());
    }
    return ends;
  }

  private void send(int records) {
    for (int k = 0; k < records; k++) {
      var _ =
          producer.send(new ProducerRecord<>(topic, k % partitions, EVENT, null, new byte[] {1}));
    }
  }

  private void sendAt(Instant time) {
    producer.beginTransaction();
    var _ = producer.send(new ProducerRecord<>(topic, 0, time.toEpochMilli(), null, new byte[1]));
    producer.commitTransaction();
    awaitMarkers();
  }

  private void commit(int partition, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets(
            topic, Map.of(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)))
        .all()
        .get();
  }
}
