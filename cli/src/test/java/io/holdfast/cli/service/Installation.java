package io.holdfast.cli.service;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A broker with topics, schemas and versions for two models, one with labels inside its records and
 * one with labels apart; whatever serves on it is up to the test.
 */
final class Installation implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final int PARTITIONS = 3;
  private static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "temperature", "type": "double"},
            {"name": "count", "type": ["null", "double"]},
            {"name": "note", "type": ["null", "string"], "default": null}]}
          """);
  private static final RecordEncoder RIDES = new RecordEncoder(RIDE);

  private final EmbeddedBroker broker;
  private final Path config;
  private final Settings settings;
  private final KafkaProducer<String, byte[]> producer;
  private final Map<String, LedgerVersion> versions = new HashMap<>();

  /** A broker without topics, and a configuration file for it. */
  Installation(Path folder) throws IOException {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
                kafka:
                  bootstrap.servers: %s
                holdfast:
                  service: { port: 0, stateDirectory: %s, requestTimeout: 2s }
                  models:
                    inside:
                      objective: squared
                      label: count
                    apart:
                      objective: squared
                      label: count
                      labels: { in: topic, wait: 1h }
                """,
                broker.bootstrapServers(), folder.resolve("state")));
    settings = Settings.read(config, Map.of());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  Settings settings() {
    return settings;
  }

  Path config() {
    return config;
  }

  /**
   * A second installation's settings on the same broker, its topics made; all models take rides.
   */
  Settings second(Path folder, String models) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("second.yml"),
            Sentence.of(
                    """
                    kafka:
                      bootstrap.servers: %s
                    holdfast:
                      service: { port: 0, applicationId: second, stateDirectory: %s, requestTimeout: 2s }
                      trainer: { port: 0 }
                      topics: { models: second.models, reports: second.reports, schemas: second.schemas }
                      models:
                    """,
                    broker.bootstrapServers(), folder.resolve("second"))
                + models.indent(4));
    Settings second = Settings.read(file, Map.of());
    TopicCheck.create(second, PARTITIONS);
    for (ModelSettings model : second.models().values()) {
      SchemaTopic.register(
          second.kafka(), second.topics().schemas(), model.topics().records(), RIDE);
    }
    return second;
  }

  LedgerVersion version(String model) {
    return versions.get(model);
  }

  /** Makes all topics and registers the record schema. */
  void createTopics() {
    TopicCheck.create(settings, PARTITIONS);
    for (String model : List.of("inside", "apart")) {
      SchemaTopic.register(settings.kafka(), settings.topics().schemas(), model + ".records", RIDE);
    }
  }

  /** A topic with so many partitions, before the others. */
  void createTopic(String name, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    }
  }

  void flush() {
    producer.flush();
  }

  @Override
  public void close() {
    producer.close();
    broker.close();
  }

  /** A version that predicts {@code value}, and the head that makes it serve. */
  void publish(String model, long number, double value) throws Exception {
    List<Segment> segments =
        number == 0
            ? List.of()
            : List.of(
                new Segment(
                    List.of(
                        new Tree(
                            new int[0],
                            new double[0],
                            new boolean[0],
                            new long[0][],
                            new int[0],
                            new int[0],
                            new double[] {value}))));
    LedgerCodec.Encoded encoded =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                model,
                number,
                versions.get(model),
                new Model(new Squared(), List.of(new Feature.Numeric("temperature")), 0, segments),
                1,
                List.of(),
                List.of(),
                List.of(),
                1,
                "{}",
                Map.of(),
                "test"));
    versions.put(model, encoded.version());
    List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
    for (var record : encoded.records()) {
      records.add(
          new ProducerRecord<>(
              settings.topics().models(), record.key().toString(), record.value()));
    }
    var head =
        LedgerCodec.encode(
            LedgerCodec.head(
                encoded.version(), HeadReason.TRAINED, "test", "", Instant.ofEpochMilli(0)));
    records.add(
        new ProducerRecord<>(settings.topics().models(), head.key().toString(), head.value()));
    for (ProducerRecord<String, byte[]> record : records) {
      producer.send(record).get();
    }
  }

  /** A ride, framed; {@code count} is the label inside it, or null. */
  static byte[] ride(double temperature, Double count) {
    return ride(temperature, count, null);
  }

  static byte[] ride(double temperature, Double count, String note) {
    return RIDES.encode(
        new GenericRecordBuilder(RIDE)
            .set("temperature", temperature)
            .set("count", count)
            .set("note", note)
            .build());
  }

  /** Sends a record with the event time of its row. */
  void send(String topic, String key, byte[] value, int row) {
    var _ = producer.send(new ProducerRecord<>(topic, null, timeOf("k" + row), key, value));
  }

  /** The event time of the record of key {@code k<row>}. */
  static long timeOf(String key) {
    return 1_700_000_000_000L + Long.parseLong(key.substring(1));
  }

  /** All committed records of a topic. */
  List<ConsumerRecord<String, byte[]>> readToTheEnd(String topic) {
    return CommittedRecords.of(broker.bootstrapServers(), topic);
  }

  /** Committed records of a topic, once there are so many, and what a moment more brings. */
  List<ConsumerRecord<String, byte[]>> readAll(String topic, int atLeast) {
    return CommittedRecords.first(broker.bootstrapServers(), topic, atLeast);
  }
}
