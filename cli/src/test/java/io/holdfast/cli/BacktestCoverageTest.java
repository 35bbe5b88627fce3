package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.cli.report.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast backtest --coverage}: intervals and sets by row. */
class BacktestCoverageTest {
  @TempDir Path folder;

  private CliRun run(String... flags) throws IOException {
    Path data = TestFiles.write(folder.resolve("stream.csv"), 3_000, 1);
    List<String> all = new ArrayList<>(List.of("backtest", "--data=" + data, "--window=500"));
    all.addAll(List.of("--delay=50", "--environment=env"));
    all.addAll(List.of(flags));
    return CliRun.of(all.toArray(String[]::new));
  }

  @Test
  void intervals_holdLabelsAsOftenAsPromised_andChangeNoModel() throws IOException {
    String[] flags = {"--label=y", "--exclude=id,yb", "--objective=squared", "--json"};
    JsonNode without = run(flags).json();
    assertThat(without.has("coverage")).isFalse();
    JsonNode with =
        run("--label=y", "--exclude=id,yb", "--objective=squared", "--json", "--coverage=0.9,0.5")
            .json();
    assertThat(with.get("hash")).isEqualTo(without.get("hash"));
    JsonNode coverage = with.get("coverage");
    assertThat(coverage.get("levels").toString()).isEqualTo("[0.5,0.9]");
    assertThat(coverage.at("/all/coverage/0").asDouble()).isCloseTo(0.5, within(0.05));
    assertThat(coverage.at("/all/coverage/1").asDouble()).isCloseTo(0.9, within(0.03));
    assertThat(coverage.at("/all/width/1").asDouble())
        .isGreaterThan(coverage.at("/all/width/0").asDouble());
    assertThat(coverage.get("environments")).hasSize(2);
    assertThat(coverage.get("overTime")).hasSize(3);
  }

  @Test
  void setsOfClasses_areATable() throws IOException {
    CliRun run = run("--label=yb", "--exclude=id,y", "--objective=logistic", "--coverage=0.9");
    assertThat(run.out()).contains("mean width of 0.9").contains("e0").contains("e1");
  }

  @Test
  void report_drawsWhatHeldAndHowWide_byLevelAndEnvironment() throws IOException {
    Path report = folder.resolve("report.html");
    JsonNode coverage =
        run(
                "--label=y",
                "--exclude=id,yb",
                "--objective=squared",
                "--json",
                "--coverage=0.5,0.9",
                "--report=" + report)
            .json()
            .get("coverage");
    String page = Files.readString(report);
    ArrayNode held = JsonNodeFactory.instance.arrayNode();
    ArrayNode width = JsonNodeFactory.instance.arrayNode();
    for (JsonNode stretch : coverage.get("overTime")) {
      held.add(stretch.at("/coverage/0"));
      width.add(stretch.at("/width/0"));
    }
    PageFigures.of(page).haveTheNumbersOf("share held", held);
    PageFigures.of(page).haveTheNumbersOf("mean width", width);
    assertThat(page).contains("<h2>Coverage", "promised 0.9", "held of 0.5", "held of 0.9");
    long rows = coverage.at("/environments/e1/rows").asLong();
    assertThat(page).contains("<th scope=row>e1<td>" + Page.number(rows) + "<td>");
  }

  @Test
  void aShareThatNoneCanHave_isRefused() throws IOException {
    CliRun run = run("--label=y", "--objective=squared", "--coverage=90");
    assertThat(run.err())
        .contains("--coverage: levels of coverage must ascend, above 0 and below 1: [90.0]");
  }
}
