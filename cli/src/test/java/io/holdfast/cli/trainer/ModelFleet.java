package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Several models on one broker, their examples, and what trainers have published of them. */
final class ModelFleet {
  static final int WINDOW = 50;
  private static final int PARTITIONS = 2;
  private static final int FRAME_BYTES = 10;
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row").namespace("test").fields().requiredDouble("x").endRecord();

  private final Path folder;
  private final String bootstrapServers;
  private final String name;
  private final List<String> models = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(7);

  /** Makes topics and registers schemas for models {@code name-1}, {@code name-2} and so on. */
  ModelFleet(Path folder, String bootstrapServers, String name, int count) throws IOException {
    this.folder = folder;
    this.bootstrapServers = bootstrapServers;
    this.name = name;
    for (int model = 1; model <= count; model++) {
      models.add(name + "-" + model);
    }
    Settings settings = Settings.read(config("all", "", models), Map.of());
    TopicCheck.create(settings, PARTITIONS);
    for (String model : models) {
      SchemaTopic.register(
          settings.kafka(),
          settings.topics().schemas(),
          settings.model(model).topics().records(),
          SCHEMA);
    }
  }

  List<String> models() {
    return models;
  }

  /** The configuration of a trainer of some of the models; {@code trainer} is more settings. */
  Path config(String file, String trainer, List<String> some) throws IOException {
    var text = new StringBuilder();
    text.append("kafka: { bootstrap.servers: '").append(bootstrapServers).append("' }\n");
    text.append("holdfast:\n  trainer: { port: 0, group: ").append(name).append(trainer);
    text.append(" }\n  topics: { models: ").append(name).append(".models, reports: ").append(name);
    text.append(".reports, schemas: ").append(name).append(".schemas }\n  models:\n");
    for (String model : some) {
      text.append("    ").append(model).append(": { objective: squared, label: label, ");
      text.append("labels: { in: topic }, trees: { rounds: 2, minRows: 5, maxLeaves: 4 }, ");
      text.append("update: { policy: append }, window: { rows: ")
          .append(WINDOW)
          .append(", memoryRows: 100 } }\n");
    }
    return Files.writeString(folder.resolve(name + "-" + file + ".yaml"), text.toString());
  }

  /** Appends so many windows of examples to every model's topic. */
  void produce(int windows) {
    Queue<String> lost = new ConcurrentLinkedQueue<>();
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int row = 0; row < windows * WINDOW; row++) {
        for (String model : models) {
          var _ =
              producer.send(
                  new ProducerRecord<>(
                      model + ".examples", random.nextInt(PARTITIONS), null, example()),
                  (_, error) -> {
                    if (error != null) {
                      lost.add(model + ": " + error);
                    }
                  });
        }
      }
    }
    assertThat(lost).as("examples that the broker did not take").isEmpty();
  }

  private byte[] example() {
    double x = random.nextDouble();
    byte[] record =
        new RecordEncoder(SCHEMA).encode(new GenericRecordBuilder(SCHEMA).set("x", x).build());
    return Contracts.EXAMPLE.encode(
        Example.newBuilder()
            .setRecord(ByteBuffer.wrap(record))
            .setLabel(2 * x + random.nextDouble())
            .setEnvironment("")
            .setServedVersion(0)
            .setServedHash(new Sha256Digest(Digest.of(new byte[0]).bytes()))
            .setServedRawScores(List.of(0.0))
            .setSourcePartition(0)
            .setSourceOffset(0)
            .build());
  }

  /**
   * The newest version of each model, once all is held to be as it must: every version once, its
   * number the next and its parent the one before, and so with the windows of the reports.
   */
  Map<String, Long> audit() throws MalformedRecordException {
    Map<String, Long> newest = new TreeMap<>();
    Map<String, Digest> last = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : committed(name + ".models")) {
      LedgerKey key = LedgerKey.parse(record.key());
      if (key instanceof LedgerKey.VersionKey(String model, long version)) {
        ModelManifest manifest = Contracts.MANIFEST.decode(record.value());
        assertThat(version).as(model).isEqualTo(newest.getOrDefault(model, -1L) + 1);
        if (version > 0) {
          assertThat(Digest.fromBytes(manifest.getParentHash().bytes())).isEqualTo(last.get(model));
        }
        newest.put(model, version);
        byte[] value = record.value();
        last.put(model, Digest.of(Arrays.copyOfRange(value, FRAME_BYTES, value.length)));
      }
    }
    Map<String, Long> windows = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : committed(name + ".reports")) {
      WindowReport report = Contracts.REPORT.decode(record.value());
      String model = report.getModel();
      assertThat(report.getWindow()).as(model).isEqualTo(windows.getOrDefault(model, 0L) + 1);
      windows.put(model, report.getWindow());
    }
    return newest;
  }

  /** Whether every one of the models has a version of that number. */
  boolean reached(List<String> some, long version) throws MalformedRecordException {
    Map<String, Long> newest = audit();
    return some.stream().allMatch(model -> newest.getOrDefault(model, -1L) >= version);
  }

  private List<ConsumerRecord<String, byte[]>> committed(String topic) {
    return CommittedRecords.of(bootstrapServers, topic);
  }
}
