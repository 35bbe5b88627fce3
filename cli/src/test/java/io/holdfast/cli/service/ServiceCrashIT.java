package io.holdfast.cli.service;

import static io.holdfast.cli.service.Installation.PATIENCE;
import static io.holdfast.cli.service.Installation.ride;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.schemas.avro.Example;
import io.holdfast.schemas.avro.Label;
import io.holdfast.schemas.avro.Score;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.service.ServiceApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as a program, killed in the midst of its work and started again. */
class ServiceCrashIT {
  private static final int ROWS = 21_000;
  private static final ContractCodec<Score> SCORES = Contracts.SCORE;
  private static final ContractCodec<Example> EXAMPLES = Contracts.EXAMPLE;
  private static final ContractCodec<Label> LABELS = new ContractCodec<>(Label.class);

  @TempDir Path folder;
  private int starts;

  @Test
  @Tag("long") // each build kills scorers in the module faults
  void killed_everyRecordHasOneScoreAndEveryLabelOneExample() throws Exception {
    try (Installation at = new Installation(folder)) {
      at.createTopics();
      at.publish("inside", 0, 0);
      at.publish("apart", 0, 0);
      send(at, 0, ROWS / 3);
      at.flush();
      for (int crash = 1; crash <= 2; crash++) {
        Process service = start(at.config());
        try {
          at.readAll("apart.examples", (crash - 1) * ROWS / 3 + 1);
          send(at, crash * ROWS / 3, (crash + 1) * ROWS / 3); // it dies while these come in
        } finally {
          service.destroyForcibly().waitFor();
        }
        at.flush();
      }
      assertThat(at.readToTheEnd("apart.examples")).as("killed in the midst").hasSizeLessThan(ROWS);
      Process service = start(at.config());
      try {
        var scores = at.readAll("apart.scores", ROWS);
        var examples = at.readAll("apart.examples", ROWS);

        Set<String> scored = new HashSet<>();
        for (var record : scores) {
          Score score = SCORES.decode(record.value());
          scored.add(score.getSourcePartition() + "@" + score.getSourceOffset());
        }
        assertThat(scores).hasSize(ROWS);
        assertThat(scored).hasSize(ROWS);
        Set<Double> labels = new HashSet<>();
        for (var record : examples) {
          labels.add(EXAMPLES.decode(record.value()).getLabel());
        }
        assertThat(examples).hasSize(ROWS);
        assertThat(labels).hasSize(ROWS);
        assertThat(at.readAll("apart.dead-letters", 0)).isEmpty();
      } finally {
        service.destroy();
        await().atMost(PATIENCE).until(() -> !service.isAlive());
      }
      assertThat(service.exitValue()).as("ended by SIGTERM").isEqualTo(128 + 15);
    }
  }

  private static void send(Installation at, int from, int to) {
    for (int row = from; row < to; row++) {
      at.send("apart.records", "k" + row, ride(row, null), row);
      at.send("apart.labels", "k" + row, LABELS.encode(new Label((double) row, null, null)), row);
    }
  }

  /** The program as its image runs it; returns once it listens. */
  private Process start(Path config) throws IOException {
    Path output = folder.resolve("output-" + starts++ + ".txt");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ServiceApplication.class.getName(),
                    "--config",
                    config.toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(output).contains("Holdfast service listens on "));
    return process;
  }
}
