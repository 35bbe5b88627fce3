package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Model files that earlier programs wrote give the scores that they gave then, bit for bit. */
class StoredModelFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"y", "yb"})
  void score_modelFileOfFormat1_givesItsBits(String name) throws IOException {
    Path out = folder.resolve("scores.csv");

    CliRun score =
        CliRun.of(
            "score",
            stored("rows.csv").toString(),
            "--model=" + stored(name + ".model"),
            "--out=" + out);

    assertThat(score.exitCode()).as(score.err()).isZero();
    List<String> then = Files.readAllLines(stored(name + "-scores.csv"));
    List<String> now = Files.readAllLines(out);
    for (String column : List.of("row", "prediction", "rawScore")) {
      assertThat(column(now, column)).hasSize(62).isEqualTo(column(then, column));
    }
  }

  /** A number's shortest text is that of one double alone, so equal texts are equal bits. */
  private static List<String> column(List<String> csv, String name) {
    int place = List.of(csv.getFirst().split(",", -1)).indexOf(name);
    return csv.stream().skip(1).map(line -> line.split(",", -1)[place]).toList();
  }

  private Path stored(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (InputStream in = StoredModelFileTest.class.getResourceAsStream("format1/" + name)) {
      if (in == null) {
        throw new AssertionError("there is no resource format1/" + name);
      }
      Files.write(copy, in.readAllBytes());
    }
    return copy;
  }
}
