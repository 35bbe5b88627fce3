package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.schemas.wire.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * So many models, whose objectives are all there are in turn, with topics of one partition each.
 * Labels are in the records. Owned by one thread.
 */
final class ManyModels {
  static final int WINDOW = 100;
  private static final int FEATURES = 10;
  private static final long PATIENCE_NANOS = 300_000_000_000L;

  /** What is below a model's name, label included. */
  private static final List<String> OBJECTIVES =
      List.of(
          "objective: squared, label: real",
          "objective: absolute, label: real",
          "objective: huber, delta: 1, label: real",
          "objective: quantile, alpha: 0.9, label: real",
          "objective: logistic, label: binary",
          "objective: probit, label: binary",
          "objective: exponential, label: binary",
          "objective: softmax, classes: 3, label: grade",
          "objective: ordinal, classes: 3, label: grade",
          "objective: beta, label: share",
          "objective: gamma, label: positive",
          "objective: poisson, label: grade",
          "objective: tweedie, label: positive");

  private final Workbench bench;
  private final Schema schema = schema();
  private final Path config;
  private final Settings settings;
  private final SplittableRandom random = new SplittableRandom(11);

  /** Makes their topics. */
  ManyModels(Workbench bench, int count) throws IOException {
    this.bench = bench;
    String name = "m" + count;
    Path file = bench.folder().resolve(name + ".avsc");
    Files.writeString(file, schema.toString(), UTF_8);
    var text = new StringBuilder("kafka: { bootstrap.servers: '");
    text.append(bench.bootstrapServers()).append("' }\nholdfast:\n  service: { port: 0, ");
    text.append("applicationId: ").append(name).append(", stateDirectory: '");
    text.append(bench.folder().resolve(name + "-state")).append("' }\n  trainer: { port: 0, ");
    text.append("group: ").append(name).append(" }\n  topics: { models: ").append(name);
    text.append(".models, reports: ").append(name).append(".reports, schemas: ").append(name);
    text.append(".schemas }\n  models:\n");
    for (int model = 0; model < count; model++) {
      text.append("    ").append(name).append('-').append(model).append(": { ");
      text.append(OBJECTIVES.get(model % OBJECTIVES.size()));
      text.append(", features: { include: [");
      for (int column = 0; column < FEATURES; column++) {
        text.append(column == 0 ? "x" : ", x").append(column);
      }
      text.append("] }, update: { policy: append }, window: { rows: ")
          .append(WINDOW)
          .append(", memoryRows: 200 }, ");
      text.append("schemas: [ '").append(file).append("' ] }\n");
    }
    config = bench.folder().resolve(name + ".yml");
    Files.writeString(config, text.toString(), UTF_8);
    settings = Settings.read(config, Map.of());
    TopicCheck.create(settings, 1);
  }

  Path config() {
    return config;
  }

  int count() {
    return settings.models().size();
  }

  private static Schema schema() {
    var json = new StringBuilder("{\"type\":\"record\",\"name\":\"Many\",\"fields\":[");
    for (String label : List.of("real", "binary", "grade", "share", "positive")) {
      json.append("{\"name\":\"").append(label).append("\",\"type\":\"double\"},");
    }
    for (int column = 0; column < FEATURES; column++) {
      json.append(column == 0 ? "" : ",").append("{\"name\":\"x").append(column);
      json.append("\",\"type\":\"double\"}");
    }
    return SchemaFile.parse(json.append("]}").toString());
  }

  /** Writes so many records for each model. */
  void produce(int each) {
    var encoder = new RecordEncoder(schema);
    try (var producer = bench.producer(Map.of())) {
      for (int row = 0; row < each; row++) {
        byte[] value = encoder.encode(record());
        for (var model : settings.models().values()) {
          var _ = producer.send(new ProducerRecord<>(model.topics().records(), 0, null, value));
        }
      }
      producer.flush();
    }
  }

  private GenericData.Record record() {
    var record = new GenericData.Record(schema);
    double mean = 0;
    for (int column = 0; column < FEATURES; column++) {
      double x = random.nextGaussian();
      mean += column < 3 ? x : 0;
      record.put("x" + column, x);
    }
    double noisy = mean + random.nextGaussian();
    record.put("real", noisy);
    record.put("binary", noisy > 0 ? 1.0 : 0.0);
    record.put("grade", noisy < -1 ? 0.0 : noisy < 1 ? 1.0 : 2.0);
    record.put("share", 1 / (1 + StrictMath.exp(-noisy)));
    record.put("positive", 0.01 + StrictMath.exp(0.5 * noisy));
    return record;
  }

  /** Seconds until the first, and until the last, of the models has a score. */
  double[] awaitScores(long startNanos) {
    Set<String> missing = new HashSet<>();
    settings.models().values().forEach(model -> missing.add(model.topics().scores()));
    double first = Double.NaN;
    try (var consumer = follow(List.copyOf(missing))) {
      while (!missing.isEmpty()) {
        for (var record : consumer.poll(Duration.ofMillis(20))) {
          missing.remove(record.topic());
          first = Double.isNaN(first) ? (System.nanoTime() - startNanos) / 1e9 : first;
        }
        patience(startNanos, missing.size() + " models have no score");
      }
    }
    return new double[] {first, (System.nanoTime() - startNanos) / 1e9};
  }

  /** Seconds until so many windows in all were concluded. */
  double awaitWindows(long startNanos, int windows) {
    int seen = 0;
    try (var consumer = follow(List.of(settings.topics().reports()))) {
      while (seen < windows) {
        seen += consumer.poll(Duration.ofMillis(20)).count();
        patience(startNanos, seen + " of " + windows + " windows were concluded");
      }
    }
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private static void patience(long startNanos, String sentence) {
    if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
      throw new IllegalStateException(sentence);
    }
  }

  private KafkaConsumer<byte[], byte[]> follow(List<String> topics) {
    var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                bench.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                50),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    topics.forEach(topic -> partitions.add(new TopicPartition(topic, 0)));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }
}
