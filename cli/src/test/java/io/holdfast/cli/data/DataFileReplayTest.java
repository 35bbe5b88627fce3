package io.holdfast.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fuzzing found, and files of each format, once more. */
class DataFileReplayTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"csv, a.csv", "jsonLines, a.jsonl", "unnamed, a"})
  void inputs_areReadOrRefused(String kind, String name) throws IOException, URISyntaxException {
    var inputs = Objects.requireNonNull(getClass().getResource("DataFileFuzzTestInputs/" + kind));
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(inputs.toURI()))) {
      files = all.sorted().toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      DataFileFuzzTest.read(Files.write(folder.resolve(name), Files.readAllBytes(file)));
    }
  }
}
