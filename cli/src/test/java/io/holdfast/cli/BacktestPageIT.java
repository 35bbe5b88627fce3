package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a backtest in a real browser; left out where none is installed. */
class BacktestPageIT {
  @TempDir Path folder;

  @Test
  void page_ofTwoModels_drawsCurvesAndFillsTables_withoutComplaint() throws Exception {
    Optional<Path> browser = installed();
    assumeTrue(
        browser.isPresent(),
        "no browser is installed: install Chromium or Chrome to test the page of a backtest");
    Path data = TestFiles.write(folder.resolve("a<b & c.csv"), 600, 1);
    Path page = folder.resolve("page.html");
    CliRun run =
        CliRun.of(
            "backtest",
            "--data=" + data,
            "--label=y",
            "--environment=env",
            "--exclude=id,yb",
            "--objective=squared",
            "--policy=append",
            "--window=100",
            "--gamma=1,4",
            "--report=" + page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    String shown = shown(browser.orElseThrow(), page);
    assertThat(shown).contains("a&lt;b &amp; c.csv</h1>").contains("<svg");
    assertThat(shown)
        .contains("gamma 1</th>", "gamma 4</th>") // the tables' headings
        .contains("no change</th>", "the mean label</th>", "loss, worst environment")
        .contains(">e0</th>", ">e1</th>")
        .contains("<p class=\"read\" aria-live=\"polite\">rows 600 · gamma 1 ");
  }

  @Test
  void page_ofAShift_drawsCurvesAndFillsTables_withoutComplaint() throws Exception {
    Optional<Path> browser = installed();
    assumeTrue(
        browser.isPresent(),
        "no browser is installed: install Chromium or Chrome to test the page of a shift");
    Path page = folder.resolve("shift.html");
    CliRun run =
        CliRun.of(
            "shift",
            "--objective=squared",
            "--rows=1000",
            "--window=500",
            "--strengths=0,1,2",
            "--gamma=1,4",
            "--report=" + page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(shown(browser.orElseThrow(), page))
        .contains("<svg", "gamma 1</th>", "gamma 4</th>")
        .contains("learned from 1,000 rows of 5 environments under a shift of strength 1");
  }

  @Test
  void page_ofAModel_isReadOutByTheArrowKeys() throws Exception {
    Optional<Path> browser = installed();
    assumeTrue(
        browser.isPresent(),
        "no browser is installed: install Chromium or Chrome to test the page of a model");
    Path data = TestFiles.write(folder.resolve("data.csv"), 600, 1);
    Path model = folder.resolve("m.hf");
    Path page = folder.resolve("model.html");
    for (String command :
        List.of(
            "fit --data="
                + data
                + " --label=y --environment=env --exclude=id,yb"
                + " --objective=squared --rounds=5 --out="
                + model,
            "show " + model + " --data=" + data + " --html=" + page)) {
      CliRun run = CliRun.of(command.split(" ", -1));
      assertThat(run.exitCode()).as(run.err()).isZero();
    }
    assertThat(shown(browser.orElseThrow(), page))
        .contains("Calibration of the model", "Tree 3</summary>")
        .containsPattern("aria-live=\"polite\">predicted \\S+ · came \\S+ · from \\S+ · to ");
  }

  /** The page as it is once its scripts have run, and the End key was pressed on each chart. */
  private String shown(Path browser, Path original) throws IOException, InterruptedException {
    Path page = folder.resolve("pressed.html");
    String press =
        """
        <script>for (const plot of document.querySelectorAll('.plot')) {
          plot.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
        }</script></body>\
        """;
    Files.writeString(page, Files.readString(original).replace("</body>", press));
    Path out = folder.resolve("dom.html");
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--enable-logging=stderr",
                "--virtual-time-budget=5000",
                "--user-data-dir=" + folder.resolve("profile"),
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(said.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(said)).doesNotContain("CONSOLE");
    return Files.readString(out);
  }

  private static Optional<Path> installed() {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String name : List.of("chromium", "chromium-browser", "google-chrome", "chrome")) {
      for (String folder : path.split(File.pathSeparator, -1)) {
        Path program = Path.of(folder, name);
        if (Files.isExecutable(program)) {
          return Optional.of(program);
        }
      }
    }
    return Optional.empty();
  }
}
