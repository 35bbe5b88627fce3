package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What backtests compare: the same rows for every model, after a warm-up that counts for nobody.
 */
class WarmUpTest {
  private static final int ROWS = 800;

  @TempDir Path folder;

  /** A wild first half, and a second half in which the label is the feature. */
  private Path wildBeginning() throws IOException {
    var random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder("x,y\n");
    for (int row = 0; row < ROWS; row++) {
      double x = random.nextDouble();
      double y = row < ROWS / 2 ? 1_000 * random.nextGaussian() : x;
      text.append(x).append(',').append(y).append('\n');
    }
    return Files.writeString(folder.resolve("wild.csv"), text);
  }

  private static JsonNode backtest(Path data, String... flags) {
    return run("backtest", data, flags);
  }

  private static JsonNode run(String command, Path data, String[] flags, String... more) {
    List<String> all = new ArrayList<>(List.of(command, "--data=" + data, "--label=y"));
    all.addAll(List.of("--objective=squared", "--json"));
    all.addAll(List.of(flags));
    all.addAll(List.of(more));
    return CliRun.of(all.toArray(String[]::new)).json();
  }

  @Test
  void tuning_isDecidedByTheSecondHalf() throws IOException {
    Path data = wildBeginning();
    Path config = folder.resolve("tuned.yml");
    String[] given = {"--policy=replace", "--window=50", "--memory=50"};
    JsonNode tuned =
        run("tune", data, given, "--cv=stream", "--budget=3", "--write-config=" + config);
    double loss = tuned.at("/choices/0/loss").asDouble();
    JsonNode best = CliRun.of("backtest", "--data=" + data, "--config=" + config, "--json").json();
    assertThat(loss).isEqualTo(best.at("/secondHalf/metrics/loss").asDouble());
    // Of all rows the wild half alone loses some 250,000 a row.
    assertThat(loss).isLessThan(best.at("/total/loss").asDouble() / 2);
    assertThat(tuned.get("given").asDouble())
        .isEqualTo(backtest(data, given).at("/secondHalf/metrics/loss").asDouble())
        .isGreaterThanOrEqualTo(loss);
  }

  @Test
  void lastQuarter_isOfTheSameRows_howeverWindowsFall() throws IOException {
    Path data = wildBeginning();
    JsonNode both = backtest(data, "--policy=append", "--compare=window.rows=70,300", "--delay=20");
    JsonNode small = both.at("/candidates/0/lastQuarter");
    JsonNode large = both.at("/candidates/1/lastQuarter");
    assertThat(small.get("rows").asInt()).isEqualTo(ROWS / 4);
    assertThat(large.get("rows").asInt()).isEqualTo(ROWS / 4);
    assertThat(small.get("constantLoss")).isEqualTo(large.get("constantLoss"));
  }

  /** Where nothing was learned from features, there is nothing between a model and the constant. */
  @Test
  void constantOfTheLastQuarter_isTheBestOfAllLabelsBefore() throws IOException {
    StringBuilder text = new StringBuilder("x,y\n");
    for (int row = 0; row < ROWS; row++) {
      text.append("1,").append(row % 2 == 0 ? 9 : 11).append('\n');
    }
    Path data = Files.writeString(folder.resolve("coin.csv"), text);
    JsonNode quarter = backtest(data, "--policy=append", "--window=100").get("lastQuarter");
    assertThat(quarter.get("constantLoss").asDouble()).isCloseTo(0.5, within(1e-3));
    assertThat(quarter.get("loss").asDouble()).isCloseTo(0.5, within(1e-2));
  }
}
