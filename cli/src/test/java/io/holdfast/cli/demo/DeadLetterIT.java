package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.CliRun;
import io.holdfast.cli.stream.OutcomeCounter;
import io.holdfast.cli.stream.RecordSender;
import io.holdfast.cli.stream.TopicTail;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Malformed input on a live stream: a dead letter each, with its reason, and the stream goes on.
 */
class DeadLetterIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void malformedRecordsAndLabels_becomeDeadLettersAndTheStreamGoesOn() throws Exception {
    try (Demo demo = Demo.start(null, 0)) {
      await().atMost(LIMIT).until(demo::ready);
      Map<String, String> kafka = demo.settings().kafka();
      ModelTopics topics = DemoModel.model().topics();
      try (var sender = new RecordSender(kafka);
          var outcomes = new OutcomeCounter(kafka, topics);
          var examples = TopicTail.fromBeginning(kafka, topics.examples())) {
        var feed = new DemoFeed(new DeliveryStream(1), sender, topics, Clock.systemUTC(), 0);
        sendRows(feed, 100);
        sendMalformed(sender, topics);
        sendRows(feed, 100);
        feed.finish();
        long[] joined = {0};
        await()
            .atMost(LIMIT)
            .until(
                () -> {
                  outcomes.poll(Duration.ofMillis(100));
                  examples.poll(Duration.ofMillis(100)).forEach(example -> joined[0]++);
                  return outcomes.scored() >= 200
                      && joined[0] >= feed.labelsSent()
                      && outcomes.deadLetters().values().stream().mapToLong(n -> n).sum() >= 6;
                });
        assertThat(outcomes.scored()).isEqualTo(200);
        assertThat(outcomes.repeated()).isZero();
        assertThat(joined[0]).isEqualTo(feed.labelsSent());
        assertThat(outcomes.deadLetters())
            .isEqualTo(
                Map.of(
                    "NO_VALUE", 1L, // a record without a value
                    "UNKNOWN_FRAMING", 2L, // a text for a record, another for a label
                    "UNKNOWN_SCHEMA", 1L, // a record of a schema that nobody registered
                    "TRUNCATED", 1L, // half a record
                    "TRAILING_BYTES", 1L)); // a record and a half
        DemoPages.look(demo.dashboard(), folder.resolve("browser"), outcomes.deadLetters());
        sentInAgain(kafka, outcomes);
      }
    }
  }

  /** What still cannot be used comes back; the letter before is not sent twice. */
  private void sentInAgain(Map<String, String> kafka, OutcomeCounter outcomes) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                """
                kafka: { bootstrap.servers: "%s" }
                holdfast: { models: { %s: { objective: squared, label: minutes } } }
                """,
                kafka.get("bootstrap.servers"), DemoModel.model().name()));
    assertThat(letters(config)).containsEntry("TRUNCATED", 1L).containsEntry("UNKNOWN_FRAMING", 2L);
    redriven(config, 2, "--reason", "UNKNOWN_FRAMING", "--dry-run");
    redriven(config, 1, "--reason", "TRUNCATED", "--by", "ana", "--why", "a test");
    assertThat(
            CliRun.of("models", "history", DemoModel.model().name(), "--config", "" + config).out())
        .containsPattern("ana.*sends 1 dead letters of TRUNCATED in again: a test")
        .doesNotContain("UNKNOWN_FRAMING");
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              outcomes.poll(Duration.ofMillis(100));
              return outcomes.deadLetters().getOrDefault("TRUNCATED", 0L) == 2;
            });
    assertThat(letters(config)).containsEntry("TRUNCATED", 1L).containsEntry("UNKNOWN_FRAMING", 2L);
    assertThat(outcomes.deadLetters()).doesNotContainKey("UNKNOWN");
    CliRun shown = run(config, "list", "--reason", "TRUNCATED", "--json");
    String place = shown.json().get(0).get("newest").asText();
    assertThat(run(config, "show", place).out())
        .contains("TRUNCATED of a record: ", "key      bad", DemoModel.model().topics().records());
    CliRun.of("dead-letters", "redrive", "--config", config.toString())
        .saysOneSentence(2, "--reason, --at or --since");
  }

  private static Map<String, Long> letters(Path config) {
    Map<String, Long> counts = new TreeMap<>();
    run(config, "list", "--json")
        .json()
        .forEach(
            kind ->
                counts.merge(kind.get("reason").asText(), kind.get("letters").asLong(), Long::sum));
    return counts;
  }

  private static void redriven(Path config, long sent, String... which) {
    List<String> arguments = new ArrayList<>(List.of(which));
    arguments.addFirst("redrive");
    arguments.add("--json");
    CliRun run = run(config, arguments.toArray(String[]::new));
    assertThat(run.json().get("sent").asLong()).isEqualTo(sent);
  }

  private static CliRun run(Path config, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addFirst("dead-letters");
    all.addAll(List.of("--config", config.toString()));
    CliRun run = CliRun.of(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static void sendRows(DemoFeed feed, int rows) {
    for (int row = 0; row < rows; row++) {
      int labels = feed.next();
      assertThat(labels).isNotNegative();
    }
  }

  private static void sendMalformed(RecordSender sender, ModelTopics topics) {
    byte[] text = "not Avro".getBytes(StandardCharsets.UTF_8);
    byte[] good = DemoFeed.encode(new DeliveryStream(2).row(0), 0);
    byte[] unknown = good.clone();
    unknown[5] ^= 1; // in the schema's fingerprint
    byte[] half = Arrays.copyOf(good, good.length - 20);
    byte[] more = Arrays.copyOf(good, good.length + 20);
    sender.send(topics.records(), "none", null, null);
    for (byte[] value : List.of(text, unknown, half, more)) {
      sender.send(topics.records(), "bad", value, null);
    }
    sender.send(topics.labels(), "order-3", text, null);
    sender.flush();
  }
}
