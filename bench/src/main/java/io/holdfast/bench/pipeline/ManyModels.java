package io.holdfast.bench.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.RecordEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.producer.ProducerRecord;

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

  private static final Schema SCHEMA =
      WideRecords.doubles(
              SchemaBuilder.record("Many")
                  .fields()
                  .requiredDouble("real")
                  .requiredDouble("binary")
                  .requiredDouble("grade")
                  .requiredDouble("share")
                  .requiredDouble("positive"),
              FEATURES)
          .endRecord();

  private final Workbench bench;
  private final Path config;
  private final Settings settings;
  private final SplittableRandom random = new SplittableRandom(11);

  /** Makes their topics. */
  ManyModels(Workbench bench, int count) throws IOException {
    this.bench = bench;
    String name = "m" + count;
    Path schema = bench.folder().resolve(name + ".avsc");
    Files.writeString(schema, SCHEMA.toString(), UTF_8);
    var text =
        new StringBuilder(
            Sentence.of(
                """
                kafka: { bootstrap.servers: '%2$s' }
                holdfast:
                  service: { port: 0, applicationId: %1$s, stateDirectory: '%3$s' }
                  trainer: { port: 0, group: %1$s }
                  topics: { models: %1$s.models, reports: %1$s.reports, schemas: %1$s.schemas }
                  models:
                """,
                name, bench.bootstrapServers(), bench.folder().resolve(name + "-state")));
    for (int model = 0; model < count; model++) {
      text.append(
          Sentence.of(
              """
                  %s-%d:
                    { %s, features: { include: [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9] },
                      update: { policy: append }, window: { rows: %d, memoryRows: 200 },
                      schemas: [ '%s' ] }
              """,
              name, model, OBJECTIVES.get(model % OBJECTIVES.size()), WINDOW, schema));
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

  /** Writes so many records for each model. */
  void produce(int each) {
    var encoder = new RecordEncoder(SCHEMA);
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
    var record = new GenericData.Record(SCHEMA);
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
    try (var consumer =
        Workbench.consumer(bench.bootstrapServers(), missing.toArray(String[]::new))) {
      while (!missing.isEmpty()) {
        for (var record : consumer.poll(Duration.ofMillis(20))) {
          missing.remove(record.topic());
          first = Double.isNaN(first) ? seconds(startNanos) : first;
        }
        patience(startNanos, missing.size() + " models have no score");
      }
    }
    return new double[] {first, seconds(startNanos)};
  }

  /**
   * Records of the first model scored in a second, of so many that are written as fast as can be.
   */
  double scoredASecond(int records) {
    String scores = settings.models().values().iterator().next().topics().scores();
    try (var consumer = Workbench.consumer(bench.bootstrapServers(), scores)) {
      consumer.poll(Duration.ZERO);
      consumer.seekToEnd(consumer.assignment());
      consumer.assignment().forEach(consumer::position); // it is where it will read from
      long start = System.nanoTime();
      produce(records);
      for (int seen = 0; seen < records; ) {
        seen += consumer.poll(Duration.ofMillis(20)).count();
        patience(start, seen + " of " + records + " records have a score");
      }
      return records / seconds(start);
    }
  }

  /** Seconds until so many windows in all were concluded. */
  double awaitWindows(long startNanos, int windows) {
    int seen = 0;
    try (var consumer = Workbench.consumer(bench.bootstrapServers(), settings.topics().reports())) {
      while (seen < windows) {
        seen += consumer.poll(Duration.ofMillis(20)).count();
        patience(startNanos, seen + " of " + windows + " windows were concluded");
      }
    }
    return seconds(startNanos);
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private static void patience(long startNanos, String sentence) {
    if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
      throw new IllegalStateException(sentence);
    }
  }
}
