package io.holdfast.schemas.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.holdfast.schemas.ledger.ModelFile;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.wire.ContainerReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Whatever the model topic, a file or the settings hold, it is read or refused in a sentence. */
class LedgerFuzzTest {
  @SuppressWarnings("NullAway.Init")
  private static Path file;

  @BeforeAll
  static void create() throws IOException {
    file = Files.createTempFile("fuzz", ".bin");
  }

  @AfterAll
  static void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  /** Reads bytes; {@code refused} is what it throws on purpose. */
  private interface Reading {
    void run() throws IOException, LedgerException;
  }

  private static void read(Reading reading) {
    try {
      reading.run();
    } catch (IOException | LedgerException | SettingsException refused) {
      assertThat(refused).message().isNotBlank();
    }
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void manifest(byte[] value) {
    read(() -> LedgerCodec.manifest(value));
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void head(byte[] value) {
    read(() -> LedgerCodec.head(value));
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void trees(byte[] value) {
    read(() -> LedgerCodec.trees(value));
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void modelFile(byte[] bytes) {
    read(() -> ModelFile.read(Files.write(file, bytes)));
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void avroFile(byte[] bytes) {
    read(
        () -> {
          try (ContainerReader reader = ContainerReader.open(Files.write(file, bytes))) {
            while (reader.next() != null) {
              assertThat(reader.records()).isPositive();
            }
          }
        });
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void settings(byte[] yaml) {
    read(() -> Settings.read(Files.write(file, yaml), Map.of()));
  }
}
