package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.CliRun;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SingleObjectFraming;
import io.holdfast.service.ServiceApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service through several versions, a shadow, a rollback over REST and a kill: every score it
 * ever wrote comes out again byte for byte.
 */
class PinnedReplayIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int STEP = 600;

  @TempDir Path folder;
  private URI url = URI.create("http://none");

  @Test
  void scoresOfManyVersions_comeOutAgainByteForByte() throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder)) {
      LedgerVersion zero = at.begin();
      at.serve(zero);
      Process first = start(at);
      LedgerVersion one;
      LedgerVersion two;
      try {
        scored(at, 0, 1);
        one = at.grow(1, zero, 2, "a");
        at.serve(one);
        await().atMost(PATIENCE).until(() -> serving() == 1);
        scored(at, 1, 2);
        two = at.grow(2, one, -3, "a", "b");
        at.serve(two);
        await().atMost(PATIENCE).until(() -> serving() == 2);
        assertThat(at.models("shadow", "bikes@1").exitCode()).isZero();
        await().atMost(PATIENCE).until(() -> model().at("/head/shadowVersion").asLong() == 1);
        scored(at, 2, 3);
        assertThat(post("rollback", "{\"version\": 0, \"why\": \"a test\"}")).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> serving() == 0);
        at.ride(3 * STEP, STEP); // some scored when the kill comes, some not
        at.scores(3 * STEP + 1);
      } finally {
        first.destroyForcibly().waitFor();
      }
      Process second = start(at);
      try {
        at.scores(4 * STEP);
        at.serve(at.grow(3, zero, 5, "a"));
        await().atMost(PATIENCE).until(() -> serving() == 3);
        scored(at, 4, 5);
      } finally {
        second.destroyForcibly().waitFor();
      }

      checkReplays(at);
      forge(at);
      CliRun forged = at.models("replay", "bikes", "--json");
      assertThat(forged.exitCode()).isEqualTo(1);
      JsonNode told = new ObjectMapper().readTree(forged.out());
      assertThat(told.get("differing").asLong()).isEqualTo(1);
      assertThat(told.get("identical").asLong()).isEqualTo(5L * STEP + 1);
      assertThat(told.get("differences").get(0).asText()).contains("bikes.scores-", "raw scores");
    }
  }

  private static void checkReplays(ModelsOnTopic at) {
    JsonNode replayed = at.models("replay", "bikes", "--json").json();
    assertThat(replayed.get("identical").asLong()).isEqualTo(5L * STEP);
    assertThat(replayed.get("differing").asLong()).isZero();
    assertThat(replayed.get("identicalByVersion").properties())
        .extracting(version -> version.getKey())
        .containsExactly("0", "1", "2", "3");
    JsonNode shadows = at.models("replay", "bikes", "--shadow", "--json").json();
    assertThat(shadows.get("identical").asLong()).isGreaterThanOrEqualTo(STEP);
    assertThat(shadows.get("differing").asLong()).isZero();
    assertThat(shadows.get("identicalByVersion").properties())
        .extracting(version -> version.getKey())
        .containsExactly("1");
    JsonNode some =
        at.models(
                "replay",
                "bikes",
                "--json",
                "--from=" + ModelsOnTopic.timeOf(STEP),
                "--to=" + ModelsOnTopic.timeOf(STEP + 100))
            .json();
    assertThat(some.get("identical").asLong()).isEqualTo(100);
  }

  /** Sends the rows of a step and waits for the scores of all steps up to the end. */
  private static void scored(ModelsOnTopic at, int from, int to) throws Exception {
    at.ride(from * STEP, (to - from) * STEP);
    at.scores(to * STEP);
  }

  /** A score that no version gives for its record, beside one as it was before scores had ids. */
  private static void forge(ModelsOnTopic at) throws Exception {
    var real = at.scores(1).getFirst();
    Score score = Contracts.SCORE.decode(real.value());
    byte[] noId = Contracts.SCORE.encodeBody(Score.newBuilder(score).setId(null).build());
    byte[] body = Arrays.copyOf(noId, noId.length - 3); // nor a label, nor bounds
    Framing framing = new SingleObjectFraming(fingerprint -> null);
    at.send(real.topic(), real.partition(), framing.frame(withoutId(), body));
    Score forged =
        Score.newBuilder(score)
            .setRawScores(List.of(score.getRawScores().getFirst() + 1e-12))
            .build();
    at.send(real.topic(), real.partition(), Contracts.SCORE.encode(forged));
  }

  private static Schema withoutId() {
    Schema now = Contracts.SCORE.schema();
    List<Schema.Field> fields =
        now.getFields().stream()
            .filter(field -> !List.of("id", "label", "uncertainty").contains(field.name()))
            .map(field -> new Schema.Field(field, field.schema()))
            .toList();
    return Schema.createRecord(now.getName(), null, now.getNamespace(), false, fields);
  }

  private Process start(ModelsOnTopic at) throws Exception {
    Path output = Files.createTempFile(folder, "service", ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServiceApplication.class.getName(),
                "--config",
                at.config().toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                Files.readString(output).contains("Holdfast service listens on ")
                    || !process.isAlive());
    assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
    String line =
        Files.readString(output)
            .lines()
            .filter(text -> text.contains("listens on "))
            .findFirst()
            .orElseThrow();
    url = URI.create(line.substring(line.indexOf("http")).trim());
    return process;
  }

  private long serving() throws Exception {
    return model().at("/serving/version").asLong(-1);
  }

  private JsonNode model() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(url.resolve("/api/v1/models/" + ModelsOnTopic.MODEL)).build(),
              HttpResponse.BodyHandlers.ofString());
      return new ObjectMapper().readTree(answer.body());
    }
  }

  private int post(String action, String body) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(
                      url.resolve("/api/v1/models/" + ModelsOnTopic.MODEL + "/" + action))
                  .header("Content-Type", "application/json")
                  .header("Authorization", "Bearer " + ModelsOnTopic.TOKEN)
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    }
  }
}
