package io.holdfast.cli.models;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.FeatureBins;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.reference.DistributionSketch;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.HeadWriter;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** A broker with a model topic that a test publishes versions of {@code bikes} on. */
final class ModelsOnTopic implements AutoCloseable {
  static final String MODEL = "bikes";

  /** Of who may act over HTTP. */
  static final String TOKEN = "the-token-of-ana-who-acts";

  static final Schema RIDE =
      SchemaFile.parse(
          """
          {"type": "record", "name": "Ride", "fields": [
            {"name": "x", "type": ["null", "double"]},
            {"name": "kind", "type": "string"},
            {"name": "count", "type": ["null", "double"]}]}
          """);
  private static final RecordEncoder RIDES = new RecordEncoder(RIDE);

  static final int PARTITIONS = 2;

  private final EmbeddedBroker broker;
  private final Path config;
  private final Settings settings;
  private final KafkaProducer<String, byte[]> producer;

  /** With two more models that have no version, so that no service would begin to score. */
  static ModelsOnTopic withBoats(Path folder) throws IOException {
    return new ModelsOnTopic(
        folder,
        """
            boats: { objective: squared, label: count }
            kinds: { objective: logistic, classes: [tram, bus], label: count }
        """);
  }

  /** Whose versions have a gamma ladder, along the kinds of rides. */
  static ModelsOnTopic withLadder(Path folder, String ladder) throws IOException {
    return new ModelsOnTopic(folder, "      environment: kind\n      ladder: " + ladder + "\n");
  }

  /** Whose versions wait for a promotion. */
  static ModelsOnTopic withManualGate(Path folder) throws IOException {
    return new ModelsOnTopic(folder, "manual", "");
  }

  ModelsOnTopic(Path folder) throws IOException {
    this(folder, "");
  }

  private ModelsOnTopic(Path folder, String more) throws IOException {
    this(folder, "always", more);
  }

  private ModelsOnTopic(Path folder, String gate, String more) throws IOException {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                    """
                    kafka: { bootstrap.servers: "%s" }
                    holdfast:
                      service: { port: 0, stateDirectory: "%s" }
                      security: { tokens: [ "ana operator %s" ], openReading: true }
                      trainer: { port: 0 }
                      models:
                        bikes:
                          objective: squared
                          label: count
                          gamma: 1
                          trees: { rounds: 2, minRows: 5, maxLeaves: 4 }
                          update: { policy: append, gate: %s }
                          window: { rows: 200, memoryRows: 400 }
                    """,
                    broker.bootstrapServers(), folder.resolve("state"), TOKEN, gate)
                + more);
    settings = Settings.read(config, Map.of());
    TopicCheck.create(settings, PARTITIONS);
    register(RIDE);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  Settings settings() {
    return settings;
  }

  /** Runs {@code holdfast models ...} on this broker. */
  CliRun models(String... arguments) {
    return CliRun.of(
        Stream.of(Stream.of("models"), Stream.of(arguments), Stream.of("--config", "" + config))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  /** Runs {@code holdfast doctor} on this broker. */
  CliRun doctor() {
    return CliRun.of("doctor", "--config", "" + config);
  }

  /** Producers write records of that schema from now on. */
  void register(Schema records) {
    SchemaTopic.register(
        settings.kafka(), settings.topics().schemas(), MODEL + ".records", records);
  }

  /** Version 0: no trees. */
  LedgerVersion begin() throws Exception {
    return publish(0, null, model(List.of("a"), List.of()));
  }

  /** A version that appends a tree of one leaf to its parent's. */
  LedgerVersion grow(long number, LedgerVersion parent, double value, String... categories)
      throws Exception {
    List<Segment> segments = new ArrayList<>(parent.model().segments());
    segments.add(new Segment(List.of(leaf(value))));
    return publish(number, parent, model(List.of(categories), segments));
  }

  private LedgerVersion publish(long number, @Nullable LedgerVersion parent, Model model)
      throws Exception {
    LedgerCodec.Encoded encoded =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                MODEL,
                number,
                parent,
                model,
                1,
                List.of(),
                List.of(),
                List.of("e" + number),
                number,
                settings.model(MODEL).trainingJson(),
                Map.of("rows", 10.0 + number),
                "test",
                new LedgerCodec.Extras(
                    number == 2 ? memory() : List.of(),
                    0,
                    List.of(),
                    null,
                    number == 2 ? kept(model.features()) : Kept.NONE)));
    for (LedgerRecord record : encoded.records()) {
      send(record.key().toString(), record.value());
    }
    return encoded.version();
  }

  /** Nine rows of two windows that follow each other, and of one after a gap. */
  private static List<ReplayedWindow> memory() {
    return List.of(
        replayed(0, 10, new ReplayQuota("e0", 4)),
        replayed(10, 20, new ReplayQuota("e0", 1), new ReplayQuota("e1", 2)),
        replayed(30, 40, new ReplayQuota("e1", 2)));
  }

  private static ReplayedWindow replayed(long from, long to, ReplayQuota... quotas) {
    return new ReplayedWindow(
        List.of(new OffsetRange(MODEL + ".examples", 0, from, to)), List.of(quotas));
  }

  /** Bins of 17 rows, and a reference of 5. */
  private static Kept kept(List<Feature> features) {
    var sketch = new DistributionSketch(true, new double[] {0, 1}, new long[] {2, 3});
    List<DistributionSketch> sketches = Collections.nCopies(features.size() + 1, sketch);
    List<FeatureBins> bins = new ArrayList<>();
    for (int feature = 0; feature < features.size(); feature++) {
      if (features.get(feature) instanceof Feature.Numeric) {
        bins.add(new FeatureBins(feature, new double[] {0.5}, new int[] {7, 9, 1}));
      }
    }
    var part = new EnvironmentReference("e2", 5, sketches);
    return new Kept(
        new Bins(255, bins),
        new KeptReference(new TrainingReference(5, new TreeMap<>(), List.of(part), List.of())));
  }

  /** Makes a version that was published serve, as the trainer does. */
  ModelHead serve(LedgerVersion version) throws Exception {
    var author = new HeadRules.Author("test", "", Instant.parse("2026-01-01T00:00:00Z"));
    return HeadWriter.write(
        settings,
        MODEL,
        ledger -> {
          Optional<ModelHead> present = ledger.head(MODEL);
          return new HeadWriter.Change(
              List.of(),
              present.isEmpty()
                  ? HeadRules.first(version, HeadReason.INITIAL, author)
                  : HeadRules.next(
                      present.get(),
                      new HeadChange.Trained(version.number(), version.hash(), true),
                      ledger.versionsOf(MODEL),
                      Gate.ALWAYS,
                      author));
        });
  }

  void send(String key, byte @Nullable [] value) throws Exception {
    producer.send(new ProducerRecord<>(settings.topics().models(), key, value)).get();
  }

  /** Sends records with the schema {@link #RIDE}, of so many keys, from a row on. */
  void ride(int from, int rows) throws Exception {
    ride(from, rows, row -> "k" + row);
  }

  /** The same of keys of rows. */
  void ride(int from, int rows, IntFunction<String> keys) throws Exception {
    for (int row = from; row < from + rows; row++) {
      byte[] ride =
          RIDES.encode(
              new GenericRecordBuilder(RIDE)
                  .set("x", row % 7 == 0 ? null : row / 100.0)
                  .set("kind", row % 3 == 0 ? "a" : "b")
                  .set("count", row % 11 == 0 ? null : (double) (row % 20))
                  .build());
      var _ =
          producer.send(
              new ProducerRecord<>(
                  MODEL + ".records", null, timeOf(row).toEpochMilli(), keys.apply(row), ride));
    }
    producer.flush();
  }

  Path config() {
    return config;
  }

  /** The time of the record of a row. */
  static Instant timeOf(int row) {
    return Instant.ofEpochMilli(1_700_000_000_000L + row);
  }

  /** Sends a value to a partition, with the time of row 0. */
  void send(String topic, int partition, byte[] value) throws Exception {
    producer
        .send(new ProducerRecord<>(topic, partition, timeOf(0).toEpochMilli(), "k", value))
        .get();
  }

  /** All committed scores, once there are so many. */
  List<ConsumerRecord<String, byte[]>> scores(int atLeast) {
    return committed(MODEL + ".scores", atLeast);
  }

  /** All committed records of a topic, once there are so many. */
  List<ConsumerRecord<String, byte[]>> committed(String topic, int atLeast) {
    return CommittedRecords.of(broker.bootstrapServers(), topic, atLeast);
  }

  static Model model(List<String> categories, List<Segment> segments) {
    return new Model(
        new Squared(),
        List.of(new Feature.Numeric("x"), new Feature.Categorical("kind", categories)),
        0.25,
        segments);
  }

  static Tree leaf(double value) {
    return new Tree(
        new int[0],
        new double[0],
        new boolean[0],
        new long[0][],
        new int[0],
        new int[0],
        new double[] {value});
  }

  @Override
  public void close() {
    producer.close();
    broker.close();
  }
}
