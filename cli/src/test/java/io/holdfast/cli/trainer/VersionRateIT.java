package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ExampleTime;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many versions come of labels that come fast, whatever time their records are of. */
class VersionRateIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int ROWS = 15_000;
  private static final int MEMORY = 10_000;

  /** The most rows that a window waits for: labels of an hour a row are late. */
  private static final int WINDOW = 100;

  private static final Schema SCHEMA =
      SchemaBuilder.record("Row")
          .namespace("test")
          .fields()
          .requiredDouble("x")
          .requiredDouble("y")
          .endRecord();

  @TempDir Path folder;

  @Test
  void versions_ofLabelsThatComeFast_areASecondApart() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      Settings settings = settings(broker.bootstrapServers());
      TopicCheck.create(settings, 1);
      SchemaTopic.register(settings.kafka(), settings.topics().schemas(), "m.records", SCHEMA);
      try (Service service = Service.start(settings);
          Trainer trainer = Trainer.start(settings)) {
        await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
        send(settings);
        // What fills a window is learned from, though no label comes after it.
        await().atMost(PATIENCE).until(() -> learned(broker), rows -> rows > ROWS - WINDOW);
      }
      List<Long> written =
          CommittedRecords.of(broker.bootstrapServers(), "m.examples").stream()
              .map(VersionRateIT::written)
              .toList();
      double seconds = (written.getLast() - written.getFirst()) / 1e3;
      // The first row's version, and what ends because memory is full or the log is quiet.
      double most = 2 + seconds + (double) ROWS / MEMORY;
      assertThat(windows(broker)).hasSizeBetween(2, (int) most);
    }
  }

  private Settings settings(String brokers) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: "%s" }
                holdfast:
                  service: { port: 0, stateDirectory: "%s" }
                  trainer: { port: 0 }
                  models:
                    m: { objective: squared, label: y, update: { policy: auto } }
                """,
                brokers, folder.resolve("state")));
    return Settings.read(file, Map.of());
  }

  /** Rows of an hour each, as of a replay of long ago. */
  private static void send(Settings settings) {
    SplittableRandom random = new SplittableRandom(3);
    RecordEncoder encoder = new RecordEncoder(SCHEMA);
    try (RecordSender sender = new RecordSender(settings.kafka())) {
      for (int row = 0; row < ROWS; row++) {
        double x = random.nextDouble();
        byte[] record =
            encoder.encode(
                new GenericRecordBuilder(SCHEMA)
                    .set("x", x)
                    .set("y", 3 * x + random.nextDouble())
                    .build());
        sender.send("m.records", "k" + row, record, 3_600_000L * row);
      }
      sender.flush();
    }
  }

  private static long written(ConsumerRecord<String, byte[]> example) {
    return ByteBuffer.wrap(example.headers().lastHeader(ExampleTime.NAME).value()).getLong();
  }

  private static long learned(EmbeddedBroker broker) throws MalformedRecordException {
    return windows(broker).stream().mapToLong(WindowReport::getRows).sum();
  }

  private static List<WindowReport> windows(EmbeddedBroker broker) throws MalformedRecordException {
    List<WindowReport> windows = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> record :
        CommittedRecords.of(broker.bootstrapServers(), "holdfast.reports")) {
      windows.add(Contracts.REPORT.decode(record.value()));
    }
    return windows;
  }
}
