package io.holdfast.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.topic.CompactedTopicReader;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.wire.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shared topics of the schemas module against a real broker. */
class SharedTopicsIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  @TempDir static Path folder;
  private static final TopicDescription NONE = new TopicDescription("", false, List.of());
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(folder, 0);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void reader_transactions_seesCommittedAndCatchesUp() throws Exception {
    create(new NewTopic("followed", 1, (short) 1));
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    var reader = new CompactedTopicReader(kafka(), "followed", record -> seen.add(record.key()));
    Thread thread = Thread.ofPlatform().start(reader);
    try (var producer = transactional()) {
      producer.initTransactions();
      producer.beginTransaction();
      var sentA = producer.send(new ProducerRecord<>("followed", "a", new byte[1]));
      producer.commitTransaction();
      assertThat(sentA).isDone();
      assertThat(reader.awaitCaughtUp(LIMIT)).isTrue();
      assertThat(seen).containsExactly("a");

      producer.beginTransaction();
      var sentB = producer.send(new ProducerRecord<>("followed", "b", new byte[1]));
      producer.flush();
      assertThat(sentB).isDone();
      assertThat(reader.awaitCaughtUp(LIMIT)).as("an open transaction keeps nobody").isTrue();
      producer.abortTransaction();

      producer.beginTransaction();
      var sentC = producer.send(new ProducerRecord<>("followed", "c", new byte[1]));
      producer.commitTransaction();
      assertThat(sentC).isDone();
      assertThat(reader.awaitCaughtUp(LIMIT)).isTrue();
      assertThat(seen).containsExactly("a", "c");
    }
    List<String> again = new ArrayList<>();
    try (var once = new CompactedTopicReader(kafka(), "followed", r -> again.add(r.key()))) {
      once.readToEnd(LIMIT);
    }
    assertThat(again).containsExactly("a", "c");
    reader.close();
    assertThat(thread.join(LIMIT)).isTrue();
  }

  @Test
  void reader_missingTopic_saysSo() {
    try (var reader = new CompactedTopicReader(kafka(), "nowhere", record -> {})) {
      assertThatThrownBy(() -> reader.readToEnd(Duration.ofSeconds(1)))
          .isInstanceOf(TopicException.class)
          .hasMessageContaining("has no topic nowhere: create it with 'holdfast topics create'");
    }
  }

  @Test
  void schemaTopic_registeredWhileRunning_isFound() throws Exception {
    create(new NewTopic("schemas", 1, (short) 1).configs(Map.of("cleanup.policy", "compact")));
    Schema first = schema("\"long\"");
    Schema second = schema("{\"type\": \"long\", \"logicalType\": \"timestamp-millis\"}");
    Schema other = schema("\"string\"");
    try (var topic = new SchemaTopic(kafka(), "schemas")) {
      assertThat(topic.find(Fingerprint.of(other))).isNull();
      SchemaTopic.register(kafka(), "schemas", "r", first);

      assertThat(topic.find(Fingerprint.of(first))).isEqualTo(first);
      assertThat(topic.latest("r")).contains(first);
      SchemaTopic.register(kafka(), "schemas", "r", other);
      assertThat(topic.awaitCaughtUp(LIMIT)).isTrue();
      assertThat(topic.latest("r")).contains(other);
      SchemaTopic.register(kafka(), "schemas", "r", first);
      assertThat(topic.awaitCaughtUp(LIMIT)).isTrue();
      assertThat(topic.latest("r").orElseThrow()).isSameAs(topic.find(Fingerprint.of(first)));
      assertThatThrownBy(() -> SchemaTopic.register(kafka(), "schemas", "r", second))
          .isInstanceOf(TopicException.class)
          .hasMessageContaining("differs only in logical types");
    }
    try (var producer = plain();
        var topic = new SchemaTopic(kafka(), "schemas")) {
      producer.send(new ProducerRecord<>("schemas", "poison", new byte[] {1})).get();
      producer
          .send(
              new ProducerRecord<>(
                  "schemas", "r/0000000000000000", "{".getBytes(StandardCharsets.UTF_8)))
          .get();
      assertThat(topic.awaitCaughtUp(LIMIT)).isTrue();
      assertThat(topic.latest("r")).contains(first);
    }
  }

  @Test
  void schemaTopic_settingsThatNameAnotherField_areRefusedByName() throws Exception {
    create(new NewTopic("held", 1, (short) 1).configs(Map.of("cleanup.policy", "compact")));
    SchemaTopic.register(kafka(), "held", "bikes.records", schema("\"long\""));
    try (var topic = new SchemaTopic(kafka(), "held")) {
      topic.check(List.of(bikes(Map.of("features.categorical", "a"))));
      assertThatThrownBy(() -> topic.check(List.of(bikes(Map.of("features.categorical", "b")))))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("model bikes: the record schema R has no field b");
    }
  }

  @Test
  void topicCheck_createdTopics_haveNoProblems() throws Exception {
    Settings settings = settings();
    assertThat(TopicCheck.problems(settings))
        .singleElement()
        .asString()
        .contains("lacks the topics c.models, c.schemas, c.reports, bikes.records");

    create(new NewTopic("bikes.records", 3, (short) 1));
    assertThat(TopicCheck.create(settings, 2))
        .containsExactly(
            "c.models",
            "c.schemas",
            "c.reports",
            "bikes.scores",
            "bikes.examples",
            "bikes.shadow-scores",
            "bikes.labels",
            "bikes.join",
            "bikes.dead-letters");
    assertThat(TopicCheck.create(settings, 2)).isEmpty();
    assertThat(TopicCheck.problems(settings)).isEmpty();

    try (Admin admin = admin()) {
      admin.deleteTopics(Set.of("c.models", "bikes.scores", "bikes.labels")).all().get();
    }
    create(
        new NewTopic("c.models", 2, (short) 1).configs(Map.of("max.message.bytes", "500000")),
        new NewTopic("bikes.scores", 1, (short) 1),
        new NewTopic("bikes.labels", 1, (short) 1)); // however labels are partitioned
    String mends =
        "kafka-configs.sh --bootstrap-server "
            + kafka().get("bootstrap.servers")
            + " --alter --entity-type topics --entity-name c.models --add-config ";
    assertThat(TopicCheck.problems(settings))
        .containsExactly(
            "topic c.models must have 1 partition: it has 2, so create it anew or name another"
                + " topic",
            "topic bikes.scores must have as many partitions as bikes.records, which has 3: it has"
                + " 1",
            "topic c.models must be compacted, or it forgets what is still needed: its"
                + " cleanup.policy is delete, and this mends it: "
                + mends
                + "cleanup.policy=compact",
            "topic c.models must take records of 1048588 bytes: its max.message.bytes is 500000,"
                + " and this mends it: "
                + mends
                + "max.message.bytes=1048588");
  }

  private static Schema schema(String type) {
    return new Schema.Parser()
        .parse(
            "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"a\", \"type\": "
                + type
                + "}]}");
  }

  private static Settings settings() {
    return new Settings(
        kafka(),
        new Settings.Service("127.0.0.1", 0, "a", "i", folder),
        new Settings.Trainer("127.0.0.1", 0),
        new Settings.SharedTopics("c.models", "c.reports", "c.schemas"),
        Map.of("bikes", bikes(Map.of())));
  }

  private static ModelSettings bikes(Map<String, String> more) {
    Map<String, String> values = new HashMap<>(more);
    values.putAll(Map.of("objective", "squared", "label", "y", "labels.in", "topic"));
    return ModelSettings.of("bikes", values, key -> key);
  }

  private static Map<String, String> kafka() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  private static Admin admin() {
    return Admin.create(Map.<String, Object>copyOf(kafka()));
  }

  private static void create(NewTopic... topics) throws Exception {
    try (Admin admin = admin()) {
      admin.createTopics(List.of(topics)).all().get();
      // Deleted or created by the controller, known to the broker a moment later.
      await()
          .atMost(LIMIT)
          .ignoreException(ExecutionException.class)
          .until(
              () -> {
                for (NewTopic topic : topics) {
                  int partitions =
                      admin
                          .describeTopics(List.of(topic.name()))
                          .allTopicNames()
                          .get()
                          .getOrDefault(topic.name(), NONE)
                          .partitions()
                          .size();
                  if (partitions != topic.numPartitions()) {
                    return false;
                  }
                }
                return true;
              });
    }
  }

  private static KafkaProducer<String, byte[]> plain() {
    return new KafkaProducer<>(
        Map.copyOf(kafka()), new StringSerializer(), new ByteArraySerializer());
  }

  private static KafkaProducer<String, byte[]> transactional() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "t"),
        new StringSerializer(),
        new ByteArraySerializer());
  }
}
