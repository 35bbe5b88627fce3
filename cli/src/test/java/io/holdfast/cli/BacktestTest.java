package io.holdfast.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.learn.LastQuarter;
import io.holdfast.cli.report.Reports;
import io.holdfast.cli.report.WindowTable;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code holdfast backtest}: several models side by side, delays, tuning, the files it writes. */
class BacktestTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private String data;

  @BeforeEach
  void writeFile() throws IOException {
    data = TestFiles.write(folder.resolve("stream.csv"), 600, 1).toString();
  }

  @Test
  void models_sideBySide_areWhatEachIsAlone() {
    JsonNode both = backtest("--gamma=1,3", "--compare=trees.rounds=4,8", "--delay=20..60");
    assertThat(both.get("candidates")).hasSize(4);
    JsonNode one = both.at("/candidates/2");
    assertThat(one.get("name").asText()).isEqualTo("gamma 3, trees.rounds 4");
    JsonNode alone = backtest("--gamma=3", "--rounds=4", "--delay=20..60");
    for (String field : List.of("hash", "total", "environments", "stream", "curve", "settings")) {
      assertThat(one.get(field)).as(field).isEqualTo(alone.get(field));
    }
    assertThat(both.at("/candidates/0/hash")).isNotEqualTo(one.get("hash"));
  }

  /** On labels that rise, whoever knows later ones is nearer. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void constant_knowsNoLabelThatHasNotCome(int delay) throws IOException {
    StringBuilder rows = new StringBuilder("x,y\n");
    for (int row = 0; row < 400; row++) {
      rows.append(row % 7).append(',').append(row).append('\n');
    }
    data = Files.writeString(folder.resolve("rising.csv"), rows).toString();
    double least = 0;
    double most = 0;
    for (int row = 300; row < 400; row++) {
      double mean = (row - delay - 1) / 2.0;
      double older = (row - delay) / 1.05 / 2.0 - 1; // by 5% at most the constant may be behind
      least += (row - mean) * (row - mean) / 2 / 100;
      most += (row - older) * (row - older) / 2 / 100;
    }
    JsonNode result =
        run("--label=y", "--objective=squared", "--window=50", "--delay=" + delay).json();
    assertThat(result.at("/lastQuarter/constantLoss").asDouble()).isBetween(least - 1e-6, most);
  }

  /** Windows and memory that nobody set are those of each policy. */
  @Test
  void policies_sideBySide_haveTheirOwnDefaults() throws IOException {
    String[] flags = {"--label=y", "--exclude=id,yb", "--objective=squared"};
    JsonNode both = run(with(flags, "--compare=update.policy=append,auto")).json();
    assertThat(both.at("/candidates/0/settings/window/rows").asInt()).isEqualTo(1_000);
    JsonNode auto = both.at("/candidates/1");
    JsonNode alone = run(with(flags, "--policy=auto")).json();
    for (String field : List.of("hash", "total", "settings")) {
      assertThat(auto.get(field)).as(field).isEqualTo(alone.get(field));
    }
    String model = "{objective: squared, label: y, features: {exclude: [id, yb]}%s}";
    Path config = folder.resolve("holdfast.yml");
    Files.writeString(
        config,
        "holdfast: {models: {backtest: "
            + Sentence.of(model, ", update: {policy: append}")
            + ", other: "
            + Sentence.of(model, "")
            + "}}");
    JsonNode configured =
        CliRun.of(
                "backtest",
                "--data=" + data,
                "--config=" + config,
                "--model=backtest",
                "--compare=update.policy=append,auto",
                "--json")
            .json();
    assertThat(configured.at("/candidates/1/settings")).isEqualTo(alone.get("settings"));
    JsonNode set = run(with(flags, "--memory=300", "--compare=update.policy=append,auto")).json();
    assertThat(set.at("/candidates/1/settings/window/memoryRows").asInt()).isEqualTo(300);
  }

  @Test
  void settings_thatThePolicyHasItsOwnOf_areSaidToBeWithoutEffect() {
    String[] flags = {"--label=y", "--exclude=id,yb", "--objective=squared", "--rounds=7"};
    assertThat(run(with(flags, "--base=linear")).err())
        .contains("note: without effect")
        .contains("update.policy auto has its own: base, trees.rounds");
    assertThat(run(with(flags, "--policy=replace")).err()).doesNotContain("without effect");
  }

  private static String[] with(String[] flags, String... more) {
    return Stream.of(flags, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  @Test
  void rowsBeforeTheFirstWindow_areScoredByTheBestConstantSoFar() throws IOException {
    StringBuilder far = new StringBuilder("x,y\n");
    var random = new SplittableRandom(1);
    for (int row = 0; row < 2_000; row++) {
      double x = random.nextDouble();
      far.append(x).append(',').append(1_000 + 10 * x).append('\n');
    }
    Path file = Files.writeString(folder.resolve("far.csv"), far);
    String[] flags = {"--label=y", "--objective=squared", "--policy=append"};
    JsonNode result =
        CliRun.of(with(new String[] {"backtest", "--data=" + file, "--json"}, flags)).json();
    // Only the rows before the fifth label lose half of 1,000 squared each.
    assertThat(result.at("/total/loss").asDouble()).isBetween(5 * 500_000 / 2e3, 7 * 500_000 / 2e3);
    assertThat(result.at("/windows/0/loss").asDouble()).isLessThan(7_000);
    assertThat(result.get("rowsScoredByConstants").asInt()).isEqualTo(1_000);
  }

  @Test
  void modelThatWasNotTrainedInTime_isSaidToBeNone() {
    String[] flags = {
      "backtest", "--data=" + data, "--label=y", "--objective=squared", "--exclude=id,yb"
    };
    CliRun untrained = CliRun.of(with(flags, "--policy=append", "--json"));
    assertThat(untrained.json().get("rowsScoredByConstants").asInt()).isEqualTo(600);
    assertThat(untrained.err())
        .contains("note: all 600 rows were scored by constants, since no window of 1000 labels");
    CliRun trained = CliRun.of(with(flags, "--policy=append", "--window=200", "--json"));
    assertThat(trained.json().get("rowsScoredByConstants").asInt()).isEqualTo(200);
    assertThat(trained.err()).doesNotContain("constants");
  }

  @Test
  void figures_standBesideBaselines_andEnvironmentsHaveTheirWorst() {
    JsonNode result = backtest("--delay=20");
    JsonNode metrics = result.at("/stream/cumulative/metrics");
    assertThat(metrics.get("r2").asDouble()).isGreaterThan(0.5);
    for (String name :
        List.of("rmse", "mae", "noChangeRmse", "meanRmse", "noChangeMae", "meanMae")) {
      assertThat(metrics.get(name).isNumber()).as(name).isTrue();
    }
    assertThat(metrics.get("rmse").asDouble()).isLessThan(metrics.get("meanRmse").asDouble());
    double worst = 0;
    for (JsonNode environment : result.get("environments")) {
      worst = Math.max(worst, environment.get("loss").asDouble());
    }
    assertThat(result.at("/byEnvironment/worst/loss").asDouble()).isEqualTo(worst);
    JsonNode curve = result.get("curve");
    int last = curve.get("rows").size() - 1;
    assertThat(curve.get("rows").get(last).asInt()).isEqualTo(600);
    assertThat(curve.at("/cumulative/rmse").get(last)).isEqualTo(metrics.get("rmse"));
    JsonNode classes =
        run("--label=yb", "--exclude=id,y", "--objective=logistic")
            .json()
            .at("/stream/cumulative/metrics");
    for (String name : List.of("accuracy", "auc", "logLoss", "kappa", "kappaM", "kappaTemporal")) {
      assertThat(classes.get(name).isNumber()).as(name).isTrue();
    }
  }

  @Test
  void delayByTime_isThatOfRowsWhereRowsComeSteadily() throws IOException {
    Path timed = folder.resolve("timed.csv");
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(data))) {
      String at = Instant.ofEpochSecond(60L * (lines.size() - 1)).toString();
      lines.add((lines.isEmpty() ? "at" : at) + "," + line);
    }
    Files.write(timed, lines);
    JsonNode byRows = on(timed, "--delay=50", "--time=at");
    JsonNode byTime = on(timed, "--delay=51m", "--time=at");
    assertThat(byTime.get("total")).isEqualTo(byRows.get("total"));
    assertThat(byTime.at("/windows/3/servedVersions"))
        .isEqualTo(byRows.at("/windows/3/servedVersions"));
    assertThat(on(timed, "--delay=2h", "--time=at").get("total")).isNotEqualTo(byRows.get("total"));
    run("--label=y", "--exclude=id,yb", "--objective=squared", "--delay=2h")
        .saysOneSentence(2, "--delay 2h is a time", "--time");
  }

  @Test
  void delayOfAnEnvironment_keepsItOutOfEarlyWindows() {
    JsonNode result = backtest("--delay=0,e1=200");
    assertThat(result.at("/windows/0/environments")).hasSize(1);
    assertThat(result.at("/windows/0/environments/0/environment").asText()).isEqualTo("e0");
    assertThat(result.at("/total/rows").asInt()).isEqualTo(600);
  }

  @Test
  void manyWindows_areFewLines_thatHoldAllRows() {
    String[] arguments = {
      "backtest",
      "--data=" + data,
      "--label=y",
      "--environment=env",
      "--exclude=id,yb",
      "--objective=squared",
      "--policy=append",
      "--window=5"
    };
    CliRun run = CliRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String[]> lines =
        run.out()
            .lines()
            .skip(1)
            .takeWhile(line -> !line.isBlank())
            .map(line -> line.trim().split("  +"))
            .toList();
    assertThat(lines).hasSize(WindowTable.LINES);
    assertThat(lines.getFirst()[0]).isEqualTo("1-4");
    assertThat(lines.getLast()[0]).isEqualTo("117-120");
    assertThat(lines).extracting(line -> line[1]).containsOnly("20");
    double mean =
        lines.stream().mapToDouble(line -> Double.parseDouble(line[3])).average().orElseThrow();
    String[] asJson = Arrays.copyOf(arguments, arguments.length + 1);
    asJson[arguments.length] = "--json";
    assertThat(mean).isCloseTo(CliRun.of(asJson).json().at("/total/loss").asDouble(), within(1e-4));
    assertThat(run.out()).contains("several of 120 windows");
  }

  @Test
  void gain_belowTheConstantOrAboveIt_isSaidAsThat() {
    assertThat(Reports.gain(new LastQuarter(1, 10, 15, 20))).isEqualTo("25.0% less");
    assertThat(Reports.gain(new LastQuarter(1, 10, 30, 20))).isEqualTo("50.0% more");
    assertThat(Reports.gain(new LastQuarter(1, 10, -3, -5))).isEqualTo("2.0000 more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--delay=-1", "--delay=soon", "--compare=gamma"})
  void mistakes_areSaidInASentence(String flag) {
    run("--label=y", "--exclude=id,yb", "--objective=squared", flag)
        .saysOneSentence(2, flag.substring(0, flag.indexOf('=')));
  }

  @Test
  void unknownFlag_behindAnOptionalFile_isNoFile() {
    CliRun run = run("--exclude=id,yb", "--objective=squared", "--json", "--lable=y");
    run.saysOneSentence(2, "--lable");
    assertThat(Path.of("--lable=y")).doesNotExist();
  }

  @Test
  void comparedKey_withoutItsGroup_isSaidWithIt() {
    run("--label=y", "--exclude=id,yb", "--objective=squared", "--compare=policy=append,decay")
        .saysOneSentence(2, "policy is no setting; did you mean update.policy?");
  }

  @Test
  void jsonToAFile_isWhatIsPrinted_andTheReportHasItInIt() throws IOException {
    Path json = folder.resolve("out.json");
    Path report = folder.resolve("out.html");
    CliRun run =
        run(
            "--label=y",
            "--exclude=id,yb",
            "--environment=env",
            "--objective=squared",
            "--window=100",
            "--json=" + json,
            "--report=" + report);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("rmse");
    JsonNode written = new ObjectMapper().readTree(json.toFile());
    assertThat(written.get("hash")).isEqualTo(backtest().get("hash"));
    String page = Files.readString(report);
    assertThat(page).contains(written.get("hash").asText().substring(0, 10), "<svg", "<h1");
    assertThat(page).contains("<p>The model is better than ", "It was worst in environment e");
    PageFigures.of(page).haveTheNumbersOf("calibration", written.get("calibration"), "predicted");
    PageFigures.of(page).haveTheNumbersOf("rmse", written.at("/curve/windowed/rmse"));
    PageFigures.of(page)
        .haveTheNumbersOf("share of the gain", written.get("importance"), "gainShare");
    assertThat(page).doesNotContainPattern("(src|href)=\"(?!data:|#)");
  }

  @Test
  void bestOfSeveral_inAConfiguration_leavesTheRestOfIt() throws IOException {
    Path config = folder.resolve("holdfast.yml");
    Files.writeString(
        config,
        """
        kafka: { bootstrap.servers: "${KAFKA:broker:9092}" }
        holdfast:
          service: { port: 9999 }
          models:
            m:
              objective: squared
              label: y
              labels: { in: topic, wait: 2h }
              environment: env
              topics: { records: rides }
              features: { exclude: [id, yb] }
              window: { rows: 100 }
            other: { objective: logistic, label: yb }
        """);
    Path tuned = folder.resolve("tuned.yml");
    CliRun run =
        CliRun.of(
            "backtest",
            "--data=" + data,
            "--config=" + config,
            "--model=m",
            "--compare=trees.rounds=3,20",
            "--write-config=" + tuned);
    assertThat(run.exitCode()).as(run.err()).isZero();
    Settings before = Settings.read(config, Map.of());
    Settings after = Settings.read(tuned, Map.of());
    assertThat(after.kafka()).isEqualTo(before.kafka());
    assertThat(after.service()).isEqualTo(before.service());
    assertThat(model(after, "other")).isEqualTo(model(before, "other"));
    assertThat(model(after, "m").labels()).isEqualTo(model(before, "m").labels());
    assertThat(model(after, "m").topics()).isEqualTo(model(before, "m").topics());
  }

  @Test
  void drift_isReported_andChangesNoModelUnlessItIsToAct() throws IOException {
    // The labels turn round half-way: what was learned is wrong from then on.
    List<String> lines = Files.readAllLines(TestFiles.write(folder.resolve("more.csv"), 1_200, 3));
    for (int row = 600; row < lines.size(); row++) {
      String[] cells = lines.get(row).split(",", -1);
      cells[5] = "" + -10 * Double.parseDouble(cells[5]);
      lines.set(row, String.join(",", cells));
    }
    Path turned = folder.resolve("turned.csv");
    Files.write(turned, lines);
    JsonNode quiet = on(turned, "--drift=nothing");
    JsonNode reported = on(turned, "--drift=report");
    assertThat(quiet.at("/windows/6").has("drift")).isFalse();
    // Its versions name a training reference, but are the same models: each row is served the same
    // score.
    for (String field : List.of("total", "environments", "stream", "curve")) {
      assertThat(reported.get(field)).as(field).isEqualTo(quiet.get(field));
    }
    JsonNode drift = reported.at("/windows/7/drift"); // 192 rows of two windows together
    assertThat(drift.get("tests").asInt()).isGreaterThan(0);
    assertThat(drift.get("alarms")).anyMatch(alarm -> alarm.asText().contains("label"));
    assertThat(drift.get("features").get(0).get("psi").asDouble()).isGreaterThan(0.25);
    boolean risen = false;
    for (int window = 5; window < 9; window++) {
      risen |= reported.at("/windows/" + window + "/drift/lossRisen").asBoolean();
    }
    assertThat(risen).isTrue();
    assertThat(on(turned, "--drift=shorten").get("total")).isNotEqualTo(quiet.get("total"));
  }

  @Test
  void drift_ofSmallWindows_isReportedWithItsRows() throws IOException {
    var random = new SplittableRandom(4);
    List<String> lines = new ArrayList<>(List.of("a,b,y"));
    for (int row = 0; row < 1_500; row++) {
      double a = random.nextDouble() + (row < 800 ? 0 : 1);
      lines.add(a + "," + random.nextDouble() + "," + random.nextDouble());
    }
    Path jump = folder.resolve("jump.csv");
    Files.write(jump, lines);
    List<String> flags =
        List.of(
            "backtest",
            "--data=" + jump,
            "--label=y",
            "--objective=squared",
            "--window=20",
            "--rounds=1");
    List<String> small = new ArrayList<>(flags);
    small.add("--drift=report");
    assertThat(CliRun.of(small.toArray(String[]::new)).out())
        .contains("Features and labels were compared with earlier ones 6 times, and losses")
        .containsPattern("(?m)^ *window +up to row +drift$")
        .containsPattern("(?m)^48 +960 +Feature a is distributed otherwise over 192 rows \\(PSI ");
    small.add("--json");
    JsonNode found = CliRun.of(small.toArray(String[]::new)).json().at("/windows/47");
    assertThat(found.get("upToRow").asInt()).isEqualTo(960);
    assertThat(found.at("/drift/tests").asInt()).isEqualTo(3);
    assertThat(CliRun.of(flags.toArray(String[]::new)).out())
        .contains("several of 75 windows")
        .doesNotContain("were compared");
  }

  @Test
  void expectations_ofTheScores_standBesideWhatWasMeasured() {
    JsonNode curve =
        run("--label=yb", "--exclude=id,y", "--objective=logistic", "--window=100")
            .json()
            .get("curve");
    JsonNode expected = curve.at("/expected/accuracy");
    assertThat(expected).hasSize(curve.get("rows").size());
    assertThat(expected.get(expected.size() - 1).asDouble()).isBetween(0.6, 1.0);
  }

  /** One part at a time has a value, until a row has all of them: no label was near their sum. */
  @Test
  void scoresFarBeyondLabels_areCounted() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder rows = new StringBuilder("a,b,c,d,y\n");
    for (int row = 0; row < 400; row++) {
      int part = row % 4;
      double value = 9 + 2 * random.nextDouble();
      for (int k = 0; k < 4; k++) {
        rows.append(k == part ? value : 0).append(',');
      }
      rows.append(value).append('\n');
    }
    rows.append("10,10,10,10,10\n");
    Path parts = Files.writeString(folder.resolve("parts.csv"), rows);
    String[] flags = {
      "backtest",
      "--data=" + parts,
      "--label=y",
      "--objective=squared",
      "--policy=append",
      "--window=100",
      "--base=linear",
      "--linear-strength=0.01"
    };
    CliRun text = CliRun.of(flags);
    assertThat(text.out()).contains("1 scores were far beyond all labels");
    assertThat(CliRun.of(with(flags, "--json")).json().get("scoresFarBeyondLabels").asInt())
        .isEqualTo(1);
    assertThat(backtest().get("scoresFarBeyondLabels").asInt()).isZero();
  }

  @Test
  void lateLabels_costWhatTheirDelayIs() {
    double soon = backtest("--delay=0").at("/total/loss").asDouble();
    double late = backtest("--delay=300").at("/total/loss").asDouble();
    assertThat(late).isGreaterThan(soon);
  }

  private static ModelSettings model(Settings settings, String name) {
    return requireNonNull(settings.models().get(name));
  }

  private JsonNode backtest(String... flags) {
    return on(Path.of(data), flags);
  }

  private static JsonNode on(Path file, String... flags) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "backtest",
                "--data=" + file,
                "--label=y",
                "--environment=env",
                "--exclude=id,yb",
                "--objective=squared",
                "--window=100",
                "--json"));
    all.addAll(List.of(flags));
    return CliRun.of(all.toArray(String[]::new)).json();
  }

  private CliRun run(String... flags) {
    List<String> all = new ArrayList<>(List.of("backtest", "--data=" + data));
    all.addAll(List.of(flags));
    if (!String.join(" ", flags).contains("--json")) {
      all.add("--json");
    }
    return CliRun.of(all.toArray(String[]::new));
  }
}
