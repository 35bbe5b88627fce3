package io.holdfast.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliRun;
import io.holdfast.cli.kafka.CommittedRecords;
import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.ManifestUncertainty;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.avro.ScoreBounds;
import io.holdfast.schemas.avro.ScoreUncertainty;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.service.Service;
import io.holdfast.trainer.runtime.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Labels come, versions learn from them how sure they are, and scores say it: all of it a function
 * of the log, as replay, rebuild and audit show.
 */
class UncertaintyIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int FIRST = 1_500;
  private static final int THEN = 1_200;

  @TempDir Path folder;
  private EmbeddedBroker broker;
  private Path config;

  @BeforeEach
  void start() throws IOException {
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            """
            kafka: { bootstrap.servers: "%s" }
            holdfast:
              service: { port: 0, stateDirectory: "%s" }
              trainer: { port: 0 }
              models:
                m:
                  objective: squared
                  label: size
                  environment: region
                  id: row
                  uncertainty: { coverage: [0.8, 0.95] }
                  labels: { in: topic, wait: 1h }
                  trees: { rounds: 50, maxLeaves: 6, minRows: 10 }
                  update: { policy: append }
                  window: { rows: 300, memoryRows: 3000 }
            """
                .replaceFirst("%s", broker.bootstrapServers())
                .replaceFirst("%s", folder.resolve("state").toString()));
    assertThat(CliRun.of("topics", "create", "--config=" + config, "--partitions=2").exitCode())
        .isZero();
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  @Test
  void scores_saySureTheyAre_asOftenRightAsPromised_andReplayGivesTheSameBits() throws Exception {
    Settings settings = Settings.read(config, Map.of());
    try (var service = Service.start(settings);
        var trainer = Trainer.start(settings)) {
      assertThat(service.url()).isNotEqualTo(trainer.url());
      send(0, FIRST);
      await().atMost(PATIENCE).until(() -> sureVersions() >= 3);
      send(FIRST, FIRST + THEN);
      await().atMost(PATIENCE).until(() -> messages("m.examples").size() >= FIRST + THEN - 5);
      await().atMost(PATIENCE).until(() -> sureVersions() >= 6);
    }

    Map<String, Score> scores = scores();
    Map<String, int[]> kept = kept(scores);
    assertThat(kept.keySet()).containsExactly("north", "south");
    kept.forEach(
        (region, of) -> {
          assertThat(of[0]).as("sure rows of " + region).isGreaterThan(THEN / 4);
          assertThat((double) of[1] / of[0]).as(region).isBetween(0.7, 0.93);
          assertThat((double) of[2] / of[0]).as(region).isBetween(0.89, 1.0);
        });
    checkUnseen(scores);
    JsonNode replayed = CliRun.of("models", "replay", "m", "--config=" + config, "--json").json();
    assertThat(replayed.get("differing").asInt()).isZero();
    assertThat(replayed.get("identical").asInt()).isEqualTo(FIRST + THEN);
    CliRun rebuilt =
        CliRun.of("models", "rebuild", "m", "--from", "0", "--config=" + config, "--json");
    assertThat(rebuilt.exitCode()).as(rebuilt.out() + rebuilt.err()).isZero();
    CliRun audit = CliRun.of("audit", "--config=" + config, "--json");
    assertThat(audit.exitCode()).as(audit.out() + audit.err()).isZero();
    assertThat(audit.json().at("/models/0/counts/recomputed").asInt()).isEqualTo(FIRST + THEN);
  }

  /** By region: sure rows, and those whose label is within at 0.8 and 0.95. */
  private Map<String, int[]> kept(Map<String, Score> scores) throws MalformedRecordException {
    Map<String, int[]> kept = new TreeMap<>();
    for (ConsumerRecord<String, byte[]> one : messages("m.examples")) {
      Example example = Contracts.EXAMPLE.decode(one.value());
      Score score = scores.get(example.getSourcePartition() + "@" + example.getSourceOffset());
      ScoreUncertainty said = example.getUncertainty();
      assertThat(said).isEqualTo(Objects.requireNonNull(score).getUncertainty());
      boolean settled = score.getVersion() >= 5; // the first errors are those of constants
      if (said == null || example.getEnvironment().equals("west") || !settled) {
        continue;
      }
      assertThat(said.getEnvironment()).isEqualTo(example.getEnvironment());
      assertThat(said.getSpread()).isPositive();
      int[] of = kept.computeIfAbsent(example.getEnvironment(), key -> new int[3]);
      of[0]++;
      for (int level = 0; level < 2; level++) {
        ScoreBounds bounds = said.getLevels().get(level);
        assertThat(bounds.getLower()).isLessThanOrEqualTo(bounds.getUpper());
        of[1 + level] +=
            example.getLabel() >= bounds.getLower() && example.getLabel() <= bounds.getUpper()
                ? 1
                : 0;
      }
    }
    return kept;
  }

  /** Of a region that no label had come of, the version's most cautious thresholds hold. */
  private void checkUnseen(Map<String, Score> scores) throws LedgerException {
    Map<Long, ManifestUncertainty> versions = new HashMap<>();
    for (ConsumerRecord<String, byte[]> one : messages("holdfast.models")) {
      if (one.key().startsWith("m/version/")) {
        ModelManifest manifest = LedgerCodec.manifest(one.value());
        versions.put(manifest.getVersion(), manifest.getUncertainty());
      }
    }
    int unseen = 0;
    for (Score score : scores.values()) {
      ScoreUncertainty said = score.getUncertainty();
      if (said == null || said.getEnvironment() != null) {
        continue;
      }
      unseen++;
      ManifestUncertainty version = Objects.requireNonNull(versions.get(score.getVersion()));
      double low = 0;
      double high = 0;
      for (int level = 0; level < 2; level++) {
        double unit = Math.pow(said.getSpread(), version.getPowers().get(level));
        low = Math.min(low, version.getUnseen().get(level).getLow() * unit);
        high = Math.max(high, version.getUnseen().get(level).getHigh() * unit);
      }
      ScoreBounds widest = said.getLevels().getLast();
      assertThat(widest.getLower()).isCloseTo(score.getPrediction() + low, within(1e-9));
      assertThat(widest.getUpper()).isCloseTo(score.getPrediction() + high, within(1e-9));
    }
    assertThat(unseen).isPositive();
  }

  private Map<String, Score> scores() throws MalformedRecordException {
    Map<String, Score> scores = new HashMap<>();
    for (ConsumerRecord<String, byte[]> one : messages("m.scores")) {
      Score score = Contracts.SCORE.decode(one.value());
      scores.put(score.getSourcePartition() + "@" + score.getSourceOffset(), score);
    }
    assertThat(scores).hasSize(FIRST + THEN);
    return scores;
  }

  private long sureVersions() {
    return messages("holdfast.models").stream()
        .filter(one -> one.key().startsWith("m/version/") && sure(one.value()))
        .count();
  }

  private static boolean sure(byte[] value) {
    try {
      ModelManifest manifest = LedgerCodec.manifest(value);
      return manifest.getUncertainty() != null;
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }

  private List<ConsumerRecord<String, byte[]>> messages(String topic) {
    return CommittedRecords.of(broker.bootstrapServers(), topic);
  }

  /** Rows whose errors are larger in the south, and later some of the west, which is new. */
  private void send(int from, int to) throws IOException {
    var random = new SplittableRandom(from);
    StringBuilder rows = new StringBuilder("row,x,kind,region,size\n");
    for (int row = from; row < to; row++) {
      double x = random.nextInt(100) / 10.0;
      int kind = random.nextInt(4);
      String region = row >= FIRST && row % 50 == 0 ? "west" : row % 2 == 0 ? "north" : "south";
      double noise = (region.equals("south") ? 3 : 1) * (0.1 + x / 10);
      double size = x + kind + noise * random.nextDouble(-1, 1);
      rows.append("r").append(row).append(',').append(x).append(",k").append(kind).append(',');
      rows.append(region).append(',').append(size).append('\n');
    }
    Path file = Files.writeString(folder.resolve("rows" + from + ".csv"), rows);
    CliRun replay =
        CliRun.of(
            "replay",
            file + "",
            "--config=" + config,
            "--ahead=350",
            "--label-delay=5",
            "--key=row",
            "--json");
    assertThat(replay.exitCode()).as(replay.err()).isZero();
  }
}
