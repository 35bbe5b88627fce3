package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
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

  @Test
  void fitTwice_isTheSameFile() throws IOException {
    Path rows = stored("rows.csv");
    List<byte[]> files = new ArrayList<>();
    for (String threads : List.of("1", "2")) {
      Path out = folder.resolve("fitted" + threads);
      CliRun fit =
          CliRun.of(
              "fit",
              "--data=" + rows,
              "--label=y",
              "--objective=squared",
              "--rounds=3",
              "--threads=" + threads,
              "--out=" + out);
      assertThat(fit.exitCode()).as(fit.err()).isZero();
      files.add(Files.readAllBytes(out));
    }
    assertThat(files.getLast()).isEqualTo(files.getFirst());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 100, 223, 1_000, 2_000})
  void score_modelFileCutOff_isASentence(int bytes) throws IOException {
    Path model = stored("y.model");
    Files.write(model, Arrays.copyOf(Files.readAllBytes(model), bytes));
    CliRun score = CliRun.of("score", stored("rows.csv").toString(), "--model=" + model);
    assertThat(score.exitCode()).isEqualTo(1);
    assertThat(score.out()).isEmpty();
    assertThat(score.err())
        .contains(model + " is no readable model file: it ")
        .doesNotContain("null", "Exception", "\tat ");
    assertThat(score.err().strip().lines()).hasSize(1);
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
