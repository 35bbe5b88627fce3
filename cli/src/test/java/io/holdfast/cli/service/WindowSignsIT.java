package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicCheck;
import io.holdfast.schemas.wire.RecordEncoder;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that learn noise by heart: status, metrics and health of both programs say so. */
class WindowSignsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Schema SCHEMA =
      SchemaBuilder.record("Row")
          .namespace("test")
          .fields()
          .requiredDouble("x")
          .requiredDouble("y")
          .endRecord();

  private final SplittableRandom random = new SplittableRandom(3);

  @TempDir Path folder;

  @Test
  void models_thatAreRefusedOrWorseThanTheConstant_saySo() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0)) {
      Settings settings = settings(broker.bootstrapServers());
      TopicCheck.create(settings, 1);
      for (String model : List.of("refused", "worse")) {
        SchemaTopic.register(
            settings.kafka(), settings.topics().schemas(), model + ".records", SCHEMA);
      }
      try (Service service = Service.start(settings);
          Trainer trainer = Trainer.start(settings)) {
        await().atMost(PATIENCE).until(() -> service.ready() && trainer.ready());
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> sendAndExpectSigns(settings, service, trainer));
      }
    }
  }

  /** A few windows at a time, so that later ones are served by versions of earlier ones. */
  private void sendAndExpectSigns(Settings settings, Service service, Trainer trainer)
      throws IOException, InterruptedException {
    send(settings);
    assertThat(get(service.url(), "/api/v1/status"))
        .contains("model refused: the newest ", "update.gate")
        .contains("model worse: over the newest rows what serves loses ");
    assertThat(get(service.url(), "/health/readiness")).contains("the newest ");
    assertThat(get(trainer.url(), "/health/readiness"))
        .contains("refused-repeatedly", "worse-than-constant");
    assertTroubles("holdfast_trouble", get(service.url(), "/prometheus"));
    assertTroubles("holdfast_trainer_trouble", get(trainer.url(), "/prometheus"));
  }

  private static void assertTroubles(String name, String metrics) {
    assertThat(metrics)
        .contains(name + "{kind=\"refused-repeatedly\",model=\"refused\"} 1")
        .contains(name + "{kind=\"worse-than-constant\",model=\"worse\"} 1");
  }

  private Settings settings(String brokers) throws IOException {
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
                    refused:
                      objective: squared
                      label: y
                      trees: { rounds: 20, learningRate: 1, minRows: 1, lambda: 0 }
                      window: { rows: 50 }
                      update: { policy: append, gate: better, holdOut: 0.5 }
                    worse:
                      objective: squared
                      label: y
                      trees: { rounds: 20, learningRate: 1, minRows: 1, lambda: 0 }
                      window: { rows: 50 }
                      update: { policy: append }
                """,
                brokers, folder.resolve("state")));
    return Settings.read(file, Map.of());
  }

  private void send(Settings settings) {
    RecordEncoder encoder = new RecordEncoder(SCHEMA);
    try (RecordSender sender = new RecordSender(settings.kafka())) {
      for (int row = 0; row < 200; row++) {
        byte[] record =
            encoder.encode(
                new GenericRecordBuilder(SCHEMA)
                    .set("x", random.nextDouble())
                    .set("y", random.nextGaussian())
                    .build());
        sender.send("refused.records", "k", record, null);
        sender.send("worse.records", "k", record, null);
      }
      sender.flush();
    }
  }

  private static String get(URI url, String path) throws IOException, InterruptedException {
    return HTTP.send(HttpRequest.newBuilder(url.resolve(path)).build(), BodyHandlers.ofString())
        .body();
  }
}
