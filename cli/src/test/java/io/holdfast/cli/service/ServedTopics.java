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
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

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
  private static final ContractCodec<Score> SCORES = Contracts.SCORE;

  private final String name;
  private final Settings settings;
  private final Path config;
  private final KafkaProducer<String, byte[]> producer;
  private final Map<String, TreeMap<Long, LedgerVersion>> versions = new HashMap<>();
  private final Map<String, ModelHead> heads = new HashMap<>();
  private final Map<String, List<Long>> served = new HashMap<>();
  private String remark = "";
  private List<Feature> features = List.of(new Feature.Numeric("temperature"));
  private @Nullable Map<String, LedgerRecord> compacted;

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

  /**
   * Of one model, with further settings as {@code , key: value}: its topics are there, and its
   * first version serves.
   */
  static ServedTopics of(
      Path folder, String bootstrapServers, String model, String more, int partitions)
      throws IOException {
    ServedTopics at =
        new ServedTopics(
            folder,
            bootstrapServers,
            model,
            "",
            model + ": { objective: squared, label: count" + more + " }");
    at.create(partitions).trained(model);
    at.flush();
    return at;
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

  /** From now on a version weighs so many bytes more: it takes time to read many of them. */
  ServedTopics weighing(int bytes) {
    remark = "x".repeat(bytes);
    return this;
  }

  /** From now on versions have these features. */
  void learnedFrom(Feature... those) {
    features = List.of(those);
  }

  /** Until {@link #flush}, of records with a key in common the last alone is written. */
  ServedTopics compacted() {
    compacted = new LinkedHashMap<>();
    return this;
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
                new Model(new Squared(), features, 0, List.of(new Segment(List.of(tree)))),
                1,
                List.of(),
                List.of(),
                List.of(),
                1,
                "{\"remark\": \"" + remark + "\"}",
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
    } catch (io.holdfast.schemas.version.LedgerException e) {
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
    served.computeIfAbsent(head.getModel(), _ -> new ArrayList<>()).add(head.getVersion());
    LedgerCodec.records(head).forEach(this::send);
  }

  /** The versions that heads had serve, in the order of the heads. */
  List<Long> served(String model) {
    return served.getOrDefault(model, List.of());
  }

  private void send(LedgerRecord record) {
    if (compacted != null) {
      compacted.remove(record.key().toString());
      compacted.put(record.key().toString(), record);
      return;
    }
    var _ =
        producer.send(
            new ProducerRecord<>(
                settings.topics().models(), record.key().toString(), record.value()));
  }

  /** Waits until all that was sent is on the broker. */
  void flush() {
    if (compacted != null) {
      Map<String, LedgerRecord> left = compacted;
      compacted = null;
      left.values().forEach(this::send);
    }
    producer.flush();
  }

  /** The same, but what has that key is lost. */
  void flushWithout(String key) {
    if (compacted == null || compacted.remove(key) == null) {
      throw new IllegalStateException("nothing of that key is to be written: " + key);
    }
    flush();
  }

  /** A ride, framed. */
  static byte[] ride(double temperature) {
    return RIDES.encode(
        new GenericRecordBuilder(RIDE).set("temperature", temperature).set("count", null).build());
  }

  /** Sends rides and returns when they are on the broker. */
  void rides(String model, int count) {
    rides(model, count, "k");
  }

  /** The same, with keys that begin with that. */
  void rides(String model, int count, String key) {
    String topic = settings.model(model).topics().records();
    for (int i = 0; i < count; i++) {
      send(topic, key + i, ride(i));
    }
    flush();
  }

  /** The same, into one partition. */
  void ridesInto(int partition, String model, int count, String key) {
    String topic = settings.model(model).topics().records();
    for (int i = 0; i < count; i++) {
      var _ = producer.send(new ProducerRecord<>(topic, partition, key + i, ride(i)));
    }
    flush();
  }

  void send(String topic, String key, byte[] value) {
    var _ = producer.send(new ProducerRecord<>(topic, key, value));
  }

  /** The same, with a time of its own. */
  void sendAt(Instant time, String topic, String key, byte[] value) {
    var _ = producer.send(new ProducerRecord<>(topic, null, time.toEpochMilli(), key, value));
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

  /** The same, by the keys of the records, which end in a number, without it. */
  Map<String, Set<Long>> scoredByKey(String topic, int atLeast) throws MalformedRecordException {
    Map<String, Set<Long>> scoredBy = new TreeMap<>();
    for (var record : CommittedRecords.of(bootstrapServers(), topic, atLeast)) {
      scoredBy
          .computeIfAbsent(record.key().replaceAll("\\d+$", ""), _ -> new TreeSet<>())
          .add(SCORES.decode(record.value()).getVersion());
    }
    return scoredBy;
  }

  /** How many members a consumer group has. */
  int groupMembers(String group) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      return admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().size();
    }
  }

  /** So many bytes a second for the model topic's reader of an instance; 0 takes the bound away. */
  void throttle(String instanceId, int bytesPerSecond) throws Exception {
    var reader =
        new ClientQuotaEntity(
            Map.of(ClientQuotaEntity.CLIENT_ID, name + "-" + instanceId + "-models"));
    var bound =
        new ClientQuotaAlteration.Op(
            "consumer_byte_rate", bytesPerSecond == 0 ? null : (Double) (double) bytesPerSecond);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin
          .alterClientQuotas(List.of(new ClientQuotaAlteration(reader, List.of(bound))))
          .all()
          .get();
    }
  }

  String name() {
    return name;
  }

  @Override
  public void close() {
    producer.close();
  }
}
