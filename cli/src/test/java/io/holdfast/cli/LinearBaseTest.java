package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say of a linear base's features. */
class LinearBaseTest {
  @TempDir Path folder;

  /** Counts that rise with x, and a number that is 0 but for two rows. */
  private Path counts() throws IOException {
    var random = new SplittableRandom(1);
    StringBuilder rows = new StringBuilder("x,rare,y\n");
    for (int row = 0; row < 300; row++) {
      double x = random.nextDouble();
      long count = Math.round(5 * Math.exp(x) + random.nextDouble());
      rows.append(x).append(',').append(row % 150 == 7 ? 3 : 0).append(',').append(count);
      rows.append('\n');
    }
    return Files.writeString(folder.resolve("counts.csv"), rows);
  }

  @Test
  void featureWithoutASlope_isNamed_andValuesBeyondTheFitAreCounted() throws IOException {
    Path model = folder.resolve("counts.hf");
    CliRun fit =
        CliRun.of(
            "fit",
            "--data=" + counts(),
            "--label=y",
            "--objective=poisson",
            "--base=linear",
            "--linear-strength=0.01",
            "--rounds=1",
            "--out=" + model,
            "--json");
    assertThat(fit.json().get("linearLeftOut"))
        .extracting(JsonNode::asText)
        .containsExactly("rare");
    assertThat(fit.err()).contains("note: rare has no slope of its own in the linear base");

    Path beyond = Files.writeString(folder.resolve("beyond.csv"), "x,rare\n9,0\n0.5,0\n900,0\n");
    CliRun scores = CliRun.of("score", beyond.toString(), "--model=" + model);
    assertThat(scores.exitCode()).as(scores.err()).isZero();
    assertThat(scores.err()).contains("note: 2 values are beyond those");
    var lines = scores.out().lines().map(line -> line.replaceFirst("\\d+,", "")).toList();
    assertThat(lines.get(3)).isEqualTo(lines.get(1)).isNotEqualTo(lines.get(2));
  }
}
