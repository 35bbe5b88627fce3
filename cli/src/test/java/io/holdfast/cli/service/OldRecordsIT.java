package io.holdfast.cli.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.service.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backfill: its dead letters would be older than their topic keeps messages, were they of the
 * time of their messages.
 */
class OldRecordsIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Instant OLD = Instant.parse("2023-03-01T12:00:00Z");
  private static final byte[] BAD = {1};

  @TempDir static Path folder;

  @Test
  void lettersOfOldMessages_areKeptFromNowOn_andSentInAgainAsOld() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
        ServedTopics at =
            new ServedTopics(
                folder,
                broker.bootstrapServers(),
                "old",
                "",
                "old: { objective: squared, label: count, labels: { in: topic, wait: 1h } }")) {
      at.create(1).trained("old");
      at.flush();
      Instant begin = InstantSource.system().instant();
      try (Service service = Service.start(at.settings())) {
        await().atMost(LIMIT).until(service::ready);
        at.sendAt(OLD, "old.records", "a", BAD);
        at.sendAt(OLD, "old.labels", "b", BAD);
        at.flush();
        var letters = committed(at, "old.dead-letters", 2);
        Duration kept = retention(at, "old.dead-letters");
        assertThat(letters)
            .hasSize(2)
            .allSatisfy(letter -> assertWritten(letter, begin))
            .allSatisfy(
                letter ->
                    assertThat(Instant.ofEpochMilli(letter.timestamp()).plus(kept))
                        .as("when the broker deletes it")
                        .isAfter(begin.plus(Duration.ofDays(29))));
        assertShown(at, begin);

        CliRun sent = run(at, "redrive", "--reason", "UNKNOWN_FRAMING", "--json");
        assertThat(sent.json().get("sent").asLong()).isEqualTo(2);
        for (String topic : List.of("old.records", "old.labels")) {
          assertThat(committed(at, topic, 2))
              .hasSize(2)
              .allSatisfy(
                  record -> {
                    assertThat(Instant.ofEpochMilli(record.timestamp())).isEqualTo(OLD);
                    assertThat(record.headers()).as("its own alone").isEmpty();
                  });
        }
        // Two letters, their marks, and the letters of what was sent in again.
        assertThat(committed(at, "old.dead-letters", 6))
            .hasSize(6)
            .allSatisfy(
                message ->
                    assertThat(Instant.ofEpochMilli(message.timestamp()))
                        .isBetween(begin, InstantSource.system().instant()));
      }
    }
  }

  private static void assertWritten(ConsumerRecord<String, byte[]> letter, Instant begin) {
    assertThat(Instant.ofEpochMilli(letter.timestamp()))
        .isBetween(begin, InstantSource.system().instant());
    assertThat(letter.headers().lastHeader(DeadLetterMessage.TIMESTAMP).value())
        .asString(UTF_8)
        .isEqualTo(Long.toString(OLD.toEpochMilli()));
  }

  private static void assertShown(ServedTopics at, Instant begin) {
    for (JsonNode kind : run(at, "list", "--json").json()) {
      assertThat(kind.get("last").asText()).isEqualTo(OLD.toString());
      assertThat(Instant.parse(kind.get("refused").asText()))
          .isBetween(begin, InstantSource.system().instant());
    }
    assertThat(run(at, "list", "--since", "2023-03-01T12:00:00Z", "--json").json()).hasSize(2);
    assertThat(run(at, "list", "--since", "2023-03-01T12:00:01Z", "--json").json()).isEmpty();
    assertThat(run(at, "show", "0:0").out())
        .contains(", of " + OLD)
        .containsPattern("refused  20[2-9][0-9]-")
        .doesNotContain("holdfast.timestamp");
  }

  private static Duration retention(ServedTopics at, String topic) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", at.bootstrapServers()))) {
      String millis =
          admin
              .describeConfigs(List.of(resource))
              .all()
              .get()
              .get(resource)
              .get("retention.ms")
              .value();
      return Duration.ofMillis(Long.parseLong(millis));
    }
  }

  private static List<ConsumerRecord<String, byte[]>> committed(
      ServedTopics at, String topic, int atLeast) {
    return CommittedRecords.of(at.bootstrapServers(), topic, atLeast);
  }

  private static CliRun run(ServedTopics at, String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addFirst("dead-letters");
    all.addAll(List.of("--config", at.config().toString()));
    CliRun run = CliRun.of(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }
}
