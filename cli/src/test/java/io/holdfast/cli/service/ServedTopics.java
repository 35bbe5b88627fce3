package io.holdfast.cli.service;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.ledger.Digest;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.LedgerCodec;
import io.holdfast.schemas.ledger.LedgerRecord;
import io.holdfast.schemas.ledger.LedgerVersion;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Topics of one installation among others on a broker, and what a trainer would write to them:
 * versions of models whose every prediction is the version's number, and heads. Not thread-safe.
 */
final class ServedTopics implements AutoCloseable {
  static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "temperature", "type": "double"},
            {"name": "count", "type": ["null", "double"], "default": null}]}
          """);
  private static final RecordEncoder RIDES = new RecordEncoder(RIDE);
  private static final ContractCodec<Score> SCORES = new ContractCodec<>(Score.class);

  private final String name;
  private final Settings settings;
  private final Path config;
  private final KafkaProducer<String, byte[]> producer;
  private final Map<String, TreeMap<Long, LedgerVersion>> versions = new HashMap<>();
  private final Map<String, ModelHead> heads = new HashMap<>();

  /**
   * No topics yet.
   *
   * @param name of the installation: begins the names of its topics and its application id
   * @param service further settings of the service, as {@code , key: value}
   * @param models the models' YAML
   */
  ServedTopics(Path folder, String bootstrapServers, String name, String service, String models)
      throws IOException {
    this.name = name;
    config =
        Files.writeString(
            folder.resolve(name + ".yml"),
            Sentence.of(
                    """
                    kafka: { bootstrap.servers: '%s' }
                    holdfast:
                      service: { port: 0, applicationId: %s, stateDirectory: '%s'%s }
                      trainer: { port: 0, group: %s-trainers }
                      topics: { models: %s.models, reports: %s.reports, schemas: %s.schemas }
                      models:
                    """,
                    bootstrapServers,
                    name,
                    folder.resolve(name + "-state"),
                    service,
                    name,
                    name,
                    name,
                    name)
                + models.indent(4));
    settings = Settings.read(config, Map.of());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 2),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  Settings settings() {
    return settings;
  }

  Path config() {
    return config;
  }

  String bootstrapServers() {
    return String.valueOf(settings.kafka().get("bootstrap.servers"));
  }

  /** Makes all topics that are missing, and registers the rides' schema for every model. */
  ServedTopics create(int partitions) {
    TopicCheck.create(settings, partitions);
    settings.models().values().forEach(model -> register(model.topics().records(), RIDE));
    return this;
  }

  void register(String topic, Schema schema) {
    SchemaTopic.register(settings.kafka(), settings.topics().schemas(), topic, schema);
  }

  /** The next version, with the records that it is made of; nothing serves it yet. */
  LedgerVersion version(String model) {
    var known = versions.computeIfAbsent(model, _ -> new TreeMap<>());
    long number = known.isEmpty() ? 0 : known.lastKey() + 1;
    Tree tree =
        new Tree(
            new int[0],
            new double[0],
            new boolean[0],
            new long[0][],
            new int[0],
            new int[0],
            new double[] {number});
    LedgerCodec.Encoded encoded =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                model,
                number,
                known.isEmpty() ? null : known.lastEntry().getValue(),
                new Model(
                    new Squared(),
                    List.of(new Feature.Numeric("temperature")),
                    0,
                    List.of(new Segment(List.of(tree)))),
                1,
                List.of(),
                List.of(),
                List.of(),
                1,
                "{}",
                Map.of(),
                "test"));
    encoded.records().forEach(this::send);
    known.put(number, encoded.version());
    return encoded.version();
  }

  /** The next version, and the head by which it serves. */
  LedgerVersion trained(String model) {
    LedgerVersion version = version(model);
    if (heads.containsKey(model)) {
      change(model, new HeadChange.Trained(version.number(), version.hash(), true));
    } else {
      head(LedgerCodec.head(version, HeadReason.INITIAL, "test", "", Instant.ofEpochMilli(0)));
    }
    return version;
  }

  /** So many versions, each of which served. */
  void trained(String model, int count) {
    for (int i = 0; i < count; i++) {
      trained(model);
    }
  }

  /** The next head. */
  void change(String model, HeadChange change) {
    try {
      head(
          HeadRules.next(
              heads.get(model),
              change,
              new Known(versions.getOrDefault(model, new TreeMap<>())),
              Gate.ALWAYS,
              new HeadRules.Author("test", "", Instant.ofEpochMilli(0))));
    } catch (io.holdfast.schemas.ledger.LedgerException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private record Known(Map<Long, LedgerVersion> versions) implements HeadRules.Versions {
    @Override
    public Digest verified(long version) {
      return versions.get(version).hash();
    }

    @Override
    public boolean grewFrom(long version, long ancestor) {
      return version >= ancestor;
    }
  }

  private void head(ModelHead head) {
    heads.put(head.getModel(), head);
    LedgerCodec.records(head).forEach(this::send);
  }

  private void send(LedgerRecord record) {
    var _ =
        producer.send(
            new ProducerRecord<>(
                settings.topics().models(), record.key().toString(), record.value()));
  }

  /** Waits until all that was sent is on the broker. */
  void flush() {
    producer.flush();
  }

  /** A ride, framed. */
  static byte[] ride(double temperature) {
    return RIDES.encode(
        new GenericRecordBuilder(RIDE).set("temperature", temperature).set("count", null).build());
  }

  /** Sends rides and returns when they are on the broker. */
  void rides(String model, int count) {
    String topic = settings.model(model).topics().records();
    for (int i = 0; i < count; i++) {
      send(topic, "k" + i, ride(i));
    }
    flush();
  }

  void send(String topic, String key, byte[] value) {
    var _ = producer.send(new ProducerRecord<>(topic, key, value));
  }

  /** The same, and returns when it is on the broker. */
  void sendNow(String topic, String key, byte[] value)
      throws ExecutionException, InterruptedException {
    producer.send(new ProducerRecord<>(topic, key, value)).get();
  }

  /** The versions of the committed scores of a model, once there are so many. */
  List<Long> scoredBy(String model, int atLeast) throws MalformedRecordException {
    List<Long> scoredBy = new ArrayList<>();
    for (var record :
        CommittedRecords.of(bootstrapServers(), settings.model(model).topics().scores(), atLeast)) {
      scoredBy.add(SCORES.decode(record.value()).getVersion());
    }
    return scoredBy;
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    producer.close();
  }
}
