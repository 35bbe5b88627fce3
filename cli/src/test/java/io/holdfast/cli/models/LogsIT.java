package io.holdfast.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.trainer.runtime.TrainerApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the programs log by default, as processes of their own. */
class LogsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void serviceAndTrainer_tellStartReadyVersionsAndHeads_withoutALineARecordOrATrace()
      throws Exception {
    try (ModelsOnTopic at = new ModelsOnTopic(folder)) {
      start("service", "io.holdfast.cli.Holdfast", "service", "--config", at.config().toString());
      start("trainer", TrainerApplication.class.getName(), "--config", at.config().toString());
      await().atMost(PATIENCE).until(() -> log("service").contains("model bikes serves version 0"));
      await()
          .atMost(PATIENCE)
          .until(() -> log("service").contains("ready: records of bikes are scored"));
      int rows = 0;
      for (int round = 0; round < 2; round++) {
        at.ride(rows, 1_000);
        rows += 1_000;
        assertThat(at.models("pin", "bikes@0").exitCode()).isZero();
        assertThat(at.models("unpin", "bikes").exitCode()).isZero();
        at.scores(rows);
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(log("trainer")).containsPattern("Version [1-9]\\d* has"));
      assertThat(at.models("pin", "bikes@0").exitCode()).isZero();
      assertThat(at.models("unpin", "bikes").exitCode()).isZero();
      at.ride(rows, 1_000);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(log("trainer")).containsPattern("learns on from version [1-9]"));

      assertThat(log("service"))
          .contains("the service holdfast for bikes with Kafka at 127.0.0.1:")
          .contains("not ready: ")
          .containsPattern("INFO .* model bikes serves version [1-9]\\d* \\(\\d+ trees, ")
          .doesNotContain("ERROR", "\tat ");
      assertThat(log("service").lines().count()).isLessThan(300);
      assertThat(Files.readString(folder.resolve("service.out"))).hasLineCount(1);
      assertThat(log("trainer"))
          .contains("a trainer of group holdfast-trainers for bikes with Kafka at 127.0.0.1:")
          .contains("Model bikes, window 1, 200 rows: ")
          .contains("a head was set by hand")
          .doesNotContain("ERROR", "\tat ", "transactional");
    }
  }

  private void start(String name, String program, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                program));
    command.addAll(List.of(arguments));
    processes.add(
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve(name + ".out").toFile())
            .redirectError(folder.resolve(name + ".err").toFile())
            .start());
  }

  /** What it wrote to standard error, or, being an image's program, to standard output. */
  private String log(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".err"))
        + (name.equals("trainer") ? Files.readString(folder.resolve(name + ".out")) : "");
  }
}
