package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream of traffic with one impossible value: 9,831 mm of rain. */
class OutlierCaseTest {
  private static final Path CASE =
      Path.of(
          System.getProperty("holdfast.shared", "../shared"), "cases", "outlier", "rain.csv.gz");

  private static final String IMPOSSIBLE = "\n9831.30,";

  /** A ninth of how far the labels of the stream lie apart: less than one score that is wrong. */
  private static final double FAR = 300;

  @TempDir Path folder;

  /** The newest thousand of the 4,000 rows are that row and all after it. */
  @Test
  void impossibleValue_harmsItsRowAtMost() throws IOException {
    assumeTrue(Files.exists(CASE), "no " + CASE);
    String rows;
    try (InputStream in = new GZIPInputStream(Files.newInputStream(CASE))) {
      rows = new String(in.readAllBytes(), UTF_8);
    }
    assertThat(rows).containsOnlyOnce(IMPOSSIBLE);
    JsonNode with = backtest("with.csv", rows);
    JsonNode without = backtest("without.csv", rows.replace(IMPOSSIBLE, "\n0.00,"));
    double harm = newest(with).get("rows").asInt() * (loss(with) - loss(without));
    assertThat(harm).as("in all rows from it on").isLessThan(FAR * FAR / 2);
    assertThat(newest(with).at("/metrics/mae").asDouble())
        .isLessThan(1.02 * newest(without).at("/metrics/mae").asDouble());
    assertThat(with.get("inputsClipped").asInt()).isPositive();
    assertThat(with.get("scoresFarBeyondLabels").asInt()).isZero();
  }

  private JsonNode backtest(String name, String rows) throws IOException {
    Path file = Files.writeString(folder.resolve(name), rows);
    return CliRun.of(
            "backtest",
            "--data=" + file,
            "--label=y",
            "--objective=squared",
            "--policy=auto",
            "--json")
        .json();
  }

  private static JsonNode newest(JsonNode result) {
    return result.at("/stream/windowed");
  }

  private static double loss(JsonNode result) {
    return newest(result).at("/metrics/loss").asDouble();
  }
}
