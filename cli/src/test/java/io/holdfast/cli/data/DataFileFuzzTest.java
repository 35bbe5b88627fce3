package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.holdfast.cli.input.DataException;
import io.holdfast.cli.input.DataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Whatever a file of rows holds, all of it is read, or it is refused in a sentence. Run by hand: it
 * attaches an agent, which the JVM of this module's other tests does not always let it do. {@link
 * DataFileReplayTest} replays what it found.
 */
@Tag("long")
class DataFileFuzzTest {
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @BeforeAll
  static void create() throws IOException {
    folder = Files.createTempDirectory("fuzz");
  }

  @AfterAll
  static void delete() throws IOException {
    for (String name : new String[] {"a.csv", "a.jsonl", "a.parquet", "a"}) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void csv(byte[] bytes) throws IOException {
    read("a.csv", bytes);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void jsonLines(byte[] bytes) throws IOException {
    read("a.jsonl", bytes);
  }

  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void parquet(byte[] bytes) throws IOException {
    read("a.parquet", bytes);
  }

  /** Of a format, and packed, as its bytes say. */
  @FuzzTest(maxDuration = "30m", maxExecutions = 1_000_000)
  void unnamed(byte[] bytes) throws IOException {
    read("a", bytes);
  }

  private static void read(String name, byte[] bytes) throws IOException {
    read(Files.write(folder.resolve(name), bytes));
  }

  /** Reads all rows of a file, unless it is refused by its name. */
  static void read(Path file) throws IOException {
    try {
      DataFile data = DataFile.open(DataSource.of(file), Reading.PLAIN);
      long rows = 0;
      try (RowCursor cursor = data.open()) {
        while (cursor.next() != null) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(data.rows());
    } catch (DataException refused) {
      assertThat(refused).hasMessageContaining(file.getFileName().toString());
    }
  }
}
