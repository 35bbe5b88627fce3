package io.holdfast.faults.poison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.faults.Deployment;
import io.holdfast.faults.Deployment.Shape;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Poison among good records and labels at running programs: each offset has one outcome, each score
 * recomputes, each label is used once, and the model goes on learning.
 */
class PoisonIT {
  private static final long SEED = Long.getLong("holdfast.faults.seed", 6);
  private static final int SCALE = Integer.getInteger("holdfast.faults.scale", 1);
  private static final int LONG_TEXTS = 2; // of 10 MB each

  @TempDir Path folder;

  @Test
  void poison_hasItsOneOutcomeEach_andTheRestGoesOn() {
    try (var at = new Deployment(folder, new Shape(1, 1, 1, 1, SEED))) {
      Settings settings = Settings.read(at.config(), Map.of());
      SchemaTopic.register(
          settings.kafka(), settings.topics().schemas(), "m0.records", Poison.DEEP);
      long sent = send(at);
      at.awaitNextVersions();
      at.pauseUntilDrained();
      JsonNode counts = audited(at);
      assertThat(counts.path("records").asLong()).isEqualTo(at.feed().acknowledged() + sent);
      assertThat(counts.path("scores").asLong() + counts.path("deadLetters").asLong())
          .isEqualTo(counts.path("records").asLong());
    }
  }

  private static long send(Deployment at) {
    Poison poison = new Poison(SEED, InstantSource.system().millis());
    long sent = 0;
    try (var producer = producer(at.brokers().directServers())) {
      for (int round = 0; round < 6 * SCALE; round++) {
        for (Poison.Kind kind : Poison.Kind.values()) {
          if (kind != Poison.Kind.LONG_TEXT || round < LONG_TEXTS) {
            var _ = producer.send(poison.record("m0.records", kind));
            sent++;
          }
          var _ = producer.send(poison.label("m0.labels", at.feed().rows()));
        }
        producer.flush();
      }
    }
    return sent;
  }

  /** As the broker takes what is small once it is packed. */
  private static KafkaProducer<byte[], byte[]> producer(String servers) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            servers,
            "compression.type",
            "gzip",
            "max.request.size",
            32 << 20,
            "buffer.memory",
            64L << 20),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Once no record is under way. */
  private static JsonNode audited(Deployment at) {
    return await()
        .atMost(Deployment.PATIENCE)
        .until(
            () -> {
              CliRun run = CliRun.of("audit", "--config=" + at.config(), "--json");
              JsonNode verdict = run.json().at("/models/0");
              assertThat(verdict.path("findings")).as(run.out()).isEmpty();
              return verdict.path("counts");
            },
            counts -> counts.path("underway").asLong() == 0);
  }
}
