package io.holdfast.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.trainer.ExampleTopic.Outcome;
import io.holdfast.cli.trainer.ExampleTopic.Shape;
import io.holdfast.schemas.Sentence;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Trainers that are killed at any moment, read in pieces of any size and have others beside them
 * arrive at the hashes of one that nothing ever disturbed; and so does whoever trains the versions
 * again.
 */
class KilledTrainersIT extends TrainersOnABroker {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  /** Longer than a trainer that has examples goes without a window. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Shape SHAPE =
      new Shape(
          3,
          5,
          "{ rows: 60, environments: 3, maxRows: 150, memoryRows: 150, memoryWindows: 8, idle: 4s"
              + " }");

  /** Under a cap of few trees each version would forget a share that the gate rightly refuses. */
  private static final Shape GATED =
      new Shape(
          3,
          5,
          SHAPE.window(),
          "{ policy: append, maxTrees: 60, gate: better, margin: 0.002, holdOut: 0.3 }");

  @Test
  @Tag("long") // each build kills trainers in the module faults
  void tenVersions_withFiveKills_haveTheHashesOfAnUndisturbedRun() throws Exception {
    ExampleTopic topic = disturbed("killed5", SHAPE, 10, 5, 1);

    rebuildAll(topic);
    assertThatWhatIsGoneIsSaid(topic);
  }

  @Test
  @Tag("long")
  void windowsThatTheGateKept_areLearnedFromLaterByEveryoneAlike() throws Exception {
    ExampleTopic topic = disturbed("gated", GATED, 10, 3, 1);

    List<Outcome> published = topic.published();
    int firstKept =
        IntStream.range(0, published.size())
            .filter(i -> published.get(i).gated())
            .findFirst()
            .orElseThrow();
    assertThat(published.subList(firstKept, published.size()))
        .as("versions after a window that was kept")
        .anyMatch(outcome -> outcome.version() != null);
    rebuildAll(topic);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @Tag("long")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void fiftyVersions_withTwentyKills_haveTheHashesOfAnUndisturbedRun(int contending)
      throws Exception {
    rebuildAll(disturbed("killed20-" + contending, SHAPE, 50, 20, contending));
  }

  /**
   * Kills trainers, {@code contending} of which run at a time, while examples still come, then lets
   * one finish.
   */
  private static ExampleTopic disturbed(
      String name, Shape shape, int versions, int kills, int contending) throws Exception {
    var topic = new ExampleTopic(folder, broker.bootstrapServers(), name, shape);
    var random = new SplittableRandom(kills);
    topic.produce(650); // a run of bad ones makes windows that come to nothing
    int chunk = 1 + (versions - 3) * 66 / kills;
    ArrayDeque<Life> lives = new ArrayDeque<>();
    int commitsLeft = versions - 5;
    try {
      for (int kill = 0; kill < kills; kill++) {
        while (lives.size() < contending) {
          // The first transaction publishes version 0 and commits no offsets to stop at.
          int commits = Math.min(1 + random.nextInt(2), commitsLeft);
          commitsLeft -= commits;
          lives.add(Life.begin(topic, commits, contending == 1, random));
        }
        topic.produce(chunk);
        int millis = random.nextInt(4) == 0 ? random.nextInt(1_000) : -1;
        Life life = Life.firstToStop(lives, millis, () -> topic.produce(chunk));
        lives.remove(life);
        life.kill();
      }
    } finally {
      for (Life life : lives) {
        life.kill();
      }
    }
    topic.produce(chunk); // the last may have died with all that there was published
    List<Outcome> expected = topic.expected();
    assertThat(expected.stream().filter(outcome -> outcome.version() != null || outcome.gated()))
        .as("versions, published or kept back by the gate")
        .hasSizeGreaterThanOrEqualTo(versions);
    assertThat(topic.published()).hasSizeLessThan(expected.size());
    try (Trainer trainer = Trainer.start(topic.settings())) {
      await()
          .atMost(LIMIT)
          .until(() -> topic.published().size() == expected.size() || !trainer.ready());
      await().atMost(LIMIT).until(() -> topic.published().size() == expected.size());
    }
    assertThat(topic.published()).isEqualTo(expected);
    return topic;
  }

  /** One process. */
  private record Life(Process process, Path log) {
    /** Alone, it comes back as who it was; in a group, the others must find out that it is gone. */
    static Life begin(ExampleTopic topic, int commits, boolean alone, SplittableRandom random)
        throws IOException {
      Path folder = Files.createTempDirectory(KilledTrainersIT.folder, "life");
      String kafka =
          Sentence.of(
              "kafka: { max.poll.records: %d, max.partition.fetch.bytes: %d, ",
              1 + random.nextInt(120), 200 + random.nextInt(20_000));
      String trainer =
          Sentence.of(
              "trainer: { group: %s, sessionTimeout: 6s, %s",
              topic.model(), alone ? "instanceId: alone, " : "");
      Path file =
          Files.writeString(
              folder.resolve("holdfast.yaml"),
              Files.readString(topic.file())
                  .replace("kafka: { ", kafka)
                  .replace("trainer: { ", trainer));
      Path log = folder.resolve("log");
      TroubledKafka.Moment[] moments = TroubledKafka.Moment.values();
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  DisturbedTrainer.class.getName(),
                  file.toString(),
                  String.valueOf(commits),
                  moments[random.nextInt(moments.length)].name())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new Life(process, log);
    }

    /**
     * The one that waits in the midst of a transaction: of several, whichever has the model. Or any
     * of them, so long after they run, if {@code millis} is 0 or more and that is sooner.
     *
     * @param more makes more examples: windows that follow each other may share a transaction, so
     *     nobody knows how many come to the one to die in
     */
    static Life firstToStop(Collection<Life> lives, int millis, Runnable more) throws IOException {
      try {
        await().atMost(LIMIT).until(() -> all(lives, DisturbedTrainer.READY));
        long begin = System.nanoTime();
        AtomicLong produced = new AtomicLong(begin);
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(20))
            .until(
                () -> {
                  long now = System.nanoTime();
                  if (now - produced.get() > PATIENCE.toNanos()) {
                    more.run();
                    produced.set(now);
                  }
                  return lives.stream().anyMatch(life -> life.says(DisturbedTrainer.STOPPED))
                      || (millis >= 0 && now - begin > TimeUnit.MILLISECONDS.toNanos(millis));
                });
      } catch (ConditionTimeoutException e) {
        StringBuilder logs = new StringBuilder();
        for (Life life : lives) {
          logs.append(Files.readString(life.log)).append('\n');
        }
        throw new AssertionError(logs.toString(), e);
      }
      return lives.stream()
          .filter(life -> life.says(DisturbedTrainer.STOPPED))
          .findFirst()
          .orElse(lives.iterator().next());
    }

    private static boolean all(Collection<Life> lives, String text) {
      return lives.stream().allMatch(life -> life.says(text));
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor(); // SIGKILL
    }

    private boolean says(String text) {
      try {
        return Files.readString(log).contains(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void rebuildAll(ExampleTopic topic) throws Exception {
    List<Outcome> published = topic.published();
    long last =
        published.stream()
            .map(Outcome::version)
            .filter(Objects::nonNull)
            .mapToLong(Long::longValue)
            .max()
            .orElseThrow();
    CliRun run =
        CliRun.of(
            "models",
            "rebuild",
            topic.model(),
            "--from=0",
            "--to=" + last,
            "--config=" + topic.file(),
            "--json");
    List<String> hashes = new ArrayList<>();
    for (JsonNode version : run.json().get("versions")) {
      assertThat(version.get("same").asBoolean()).as(version.toString()).isTrue();
      hashes.add(version.get("rebuilt").asText());
    }
    assertThat(hashes).hasSize((int) last + 1);
    List<String> ofWindows =
        published.stream()
            .map(Outcome::hash)
            .filter(Objects::nonNull)
            .map(Object::toString)
            .toList();
    int first = hashes.size() - ofWindows.size(); // after version 0 and the constants
    assertThat(first).isBetween(1, 4);
    assertThat(hashes.subList(first, hashes.size())).isEqualTo(ofWindows);
  }

  private static void assertThatWhatIsGoneIsSaid(ExampleTopic topic) throws Exception {
    var partition =
        new TopicPartition(topic.settings().model(topic.model()).topics().examples(), 1);
    try (Admin admin = Admin.create(Map.copyOf(topic.settings().kafka()))) {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3))).all().get();
    }

    long ofFirstWindow =
        topic.published().stream()
            .map(Outcome::version)
            .filter(Objects::nonNull)
            .mapToLong(Long::longValue)
            .min()
            .orElseThrow();
    String version = topic.model() + "@" + ofFirstWindow;

    CliRun run = CliRun.of("models", "rebuild", version, "--config=" + topic.file());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("Offsets 0 to 2 of " + partition + " are gone from the log.")
        .contains("1 of 1 versions did not come out as they are on the topic.");
  }
}
