package io.holdfast.cli.trainer;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.ledger.LedgerAudit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.LedgerReader;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.trainer.learn.TrainerCore;
import io.holdfast.trainer.learn.TrainerEvent;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.PartitionMerge;
import io.holdfast.trainer.window.Position;
import io.holdfast.trainer.window.Refusal;
import io.holdfast.trainer.window.Served;
import io.holdfast.trainer.window.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * One model's examples on a broker, some of them of no use, and what must come of them: the
 * trainer's core fed with the same rows directly says.
 */
final class ExampleTopic {
  private static final int FRAME_BYTES = 10;

  private static final Schema SCHEMA =
      SchemaBuilder.record("Row")
          .namespace("test")
          .fields()
          .requiredDouble("x")
          .requiredString("color")
          .endRecord();

  private final Path file;
  private final Settings settings;
  private final ModelSettings model;
  private final Shape shape;
  private final long[] offsets;
  private final List<Sent> log = new ArrayList<>();

  /** How many partitions and environments there are, how windows are cut and what is published. */
  record Shape(int partitions, int environments, String window, String update) {
    Shape(int partitions, int environments, String window) {
      this(partitions, environments, window, "{ policy: append, maxTrees: 12 }");
    }

    static final Shape SMALL =
        new Shape(2, 3, "{ rows: 100, environments: 2, maxRows: 150, memoryRows: 130 }");
  }

  /** An example of the topic; a row of null is bytes that are no example. */
  private record Sent(Position position, @Nullable LabelledRow row) {}

  /**
   * What came of a window: its number, how many examples were of no use, the version if any, and
   * whether one was kept back by the gate.
   */
  record Outcome(
      long window, long unusable, @Nullable Long version, @Nullable Digest hash, boolean gated) {
    static Outcome of(WindowReport report, Function<Long, @Nullable Digest> hashes) {
      Long version = report.getPublishedVersion();
      return new Outcome(
          report.getWindow(),
          report.getUnusable().values().stream().mapToLong(Long::longValue).sum(),
          version,
          version == null ? null : hashes.apply(version),
          report.getGate() != null && !report.getGate().getPassed());
    }
  }

  /** Makes topics and registers the schema for a model of that name. */
  ExampleTopic(Path folder, String bootstrapServers, String name) throws IOException {
    this(folder, bootstrapServers, name, Shape.SMALL);
  }

  /** The same, of another shape. */
  ExampleTopic(Path folder, String bootstrapServers, String name, Shape shape) throws IOException {
    this.shape = shape;
    offsets = new long[shape.partitions()];
    file =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: '%s', max.block.ms: 3000 }
                holdfast:
                  trainer: { port: 0 }
                  topics: { models: %2$s.models, reports: %2$s.reports, schemas: %2$s.schemas }
                  models:
                    %2$s:
                      objective: squared
                      label: label
                      labels: { in: topic }
                      environment: env
                      gamma: 3
                      trees: { rounds: 3, minRows: 5, maxLeaves: 6 }
                      window: %3$s
                      update: %4$s
                """,
                bootstrapServers, name, shape.window(), shape.update()));
    settings = Settings.read(file, Map.of());
    model = settings.models().get(name);
    TopicCheck.create(settings, shape.partitions());
    SchemaTopic.register(
        settings.kafka(), settings.topics().schemas(), model.topics().records(), SCHEMA);
  }

  Path file() {
    return file;
  }

  Settings settings() {
    return settings;
  }

  String model() {
    return model.name();
  }

  /** Appends examples; every seventeenth is of no use, and there is a run of such. */
  void produce(int count) {
    var random = new SplittableRandom(log.size());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.copyOf(settings.kafka()), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        int partition = random.nextInt(shape.partitions());
        long timestamp = 1_700_000_000_000L + log.size() * 10L;
        var position = new Position(partition, offsets[partition]++, timestamp);
        boolean bad = i % 17 == 16 || (i >= 300 && i < 620);
        LabelledRow row = bad ? null : row(position, random);
        var _ =
            producer.send(
                new ProducerRecord<>(
                    model.topics().examples(),
                    partition,
                    timestamp,
                    null,
                    row == null ? new byte[] {1, 2, 3} : example(row)));
        log.add(new Sent(position, row));
      }
    }
  }

  /** What a trainer that nothing ever disturbed makes of all examples produced so far. */
  List<Outcome> expected() {
    var merge = new PartitionMerge<>(Sent::position);
    log.forEach(merge::add);
    for (int partition = 0; partition < shape.partitions(); partition++) {
      merge.atEnd(partition, true);
    }
    var core = new TrainerCore(model, new SingleObjectFraming(SchemaSource.of(List.of(SCHEMA))));
    InstantSource time = InstantSource.fixed(Instant.EPOCH);
    core.apply(core.begin(SCHEMA, time));
    List<Outcome> outcomes = new ArrayList<>();
    for (Sent sent = merge.poll(); sent != null; sent = merge.poll()) {
      if (sent.row() == null) {
        core.refuse(sent.position(), Refusal.unreadableExample("for a test"));
      } else {
        core.add(sent.row());
      }
      core.provisional(time).ifPresent(core::apply);
      Optional<Window> window = core.completeWindow();
      if (window.isPresent()) {
        TrainerEvent.Concluded concluded = core.decide(window.get(), time);
        core.apply(concluded);
        outcomes.add(Outcome.of(concluded.report(), version -> core.serving().hash()));
      }
    }
    return outcomes;
  }

  /** What the topics say, in the order of the reports. */
  List<Outcome> published() throws MalformedRecordException {
    Map<Long, Digest> hashes = hashes();
    List<Outcome> outcomes = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> record : committed(settings.topics().reports())) {
      outcomes.add(Outcome.of(Contracts.REPORT.decode(record.value()), hashes::get));
    }
    return outcomes;
  }

  /** The hash of every version on the model topic: of its manifest's bytes behind the frame. */
  private Map<Long, Digest> hashes() {
    Map<Long, Digest> hashes = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : committed(settings.topics().models())) {
      if (LedgerKey.parse(record.key()) instanceof LedgerKey.VersionKey version) {
        byte[] value = record.value();
        Digest hash = Digest.of(Arrays.copyOfRange(value, FRAME_BYTES, value.length));
        if (hashes.put(version.version(), hash) != null) {
          throw new AssertionError("version " + version + " was published twice");
        }
      }
    }
    return hashes;
  }

  /** The model topic's committed records, applied. */
  Ledger ledger() {
    Ledger ledger = new Ledger();
    for (ConsumerRecord<String, byte[]> record : committed(settings.topics().models())) {
      ledger.apply(record.key(), record.value());
    }
    return ledger;
  }

  /** What is wrong with the whole model topic. */
  LedgerAudit.Result audit() {
    return LedgerReader.audit(settings.kafka(), settings.topics().models(), Duration.ofSeconds(75));
  }

  /** Where the dead letters say that they came from. */
  List<String> deadLetters() {
    return committed(model.topics().deadLetters()).stream()
        .map(
            record ->
                header(record, "__streams.errors.partition")
                    + ":"
                    + header(record, "__streams.errors.offset"))
        .toList();
  }

  /** Does what Kafka does to a group that committed nothing for long. */
  void deleteGroup() throws Exception {
    try (Admin admin = Admin.create(Map.copyOf(settings.kafka()))) {
      admin.deleteConsumerGroups(List.of("holdfast-trainer-" + model.name())).all().get();
    }
  }

  /** Does what somebody with a reset tool might. */
  void moveOffsets() throws Exception {
    try (Admin admin = Admin.create(Map.copyOf(settings.kafka()))) {
      admin
          .alterConsumerGroupOffsets(
              "holdfast-trainer-" + model.name(),
              Map.of(new TopicPartition(model.topics().examples(), 0), new OffsetAndMetadata(5)))
          .all()
          .get();
    }
  }

  /** How many dead letters windows leave. */
  long unusableIn(List<Outcome> outcomes) {
    return outcomes.stream().mapToLong(Outcome::unusable).sum();
  }

  private List<ConsumerRecord<String, byte[]>> committed(String topic) {
    return CommittedRecords.of(settings.kafka().get("bootstrap.servers").toString(), topic);
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private LabelledRow row(Position position, SplittableRandom random) {
    double x = random.nextDouble();
    String color = random.nextBoolean() ? "red" : "blue";
    String environment = "e" + random.nextInt(shape.environments());
    double label = 2 * x + (color.equals("red") ? 1 : 0) + random.nextDouble();
    byte[] record =
        new RecordEncoder(SCHEMA)
            .encode(new GenericRecordBuilder(SCHEMA).set("x", x).set("color", color).build());
    var served = new Served(random.nextDouble(), 0, Digest.of(new byte[0]));
    return new LabelledRow(position, record, label, 1, environment, served);
  }

  private static byte[] example(LabelledRow row) {
    return Contracts.EXAMPLE.encode(
        Example.newBuilder()
            .setRecord(ByteBuffer.wrap(row.record()))
            .setLabel(row.label())
            .setEnvironment(row.environment())
            .setServedVersion(row.served().version())
            .setServedHash(new Sha256Digest(row.served().hash().bytes()))
            .setServedRawScores(List.of(row.served().rawScores()[0]))
            .setSourcePartition(row.position().partition())
            .setSourceOffset(row.position().offset())
            .build());
  }
}
