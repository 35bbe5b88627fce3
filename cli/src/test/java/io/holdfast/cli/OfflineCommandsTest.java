package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineCommandsTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private String train;

  @SuppressWarnings("NullAway.Init")
  private String test;

  @BeforeEach
  void writeFiles() throws IOException {
    train = TestFiles.write(folder.resolve("train.csv"), 600, 1).toString();
    test = TestFiles.write(folder.resolve("test.csv"), 200, 2).toString();
  }

  @Test
  void columnThatIsHardlyAFeature_isSaidBesideTheResult() {
    String[] flags = {"fit", "--data=" + train, "--label=y", "--objective=squared", "--json"};
    CliRun all = CliRun.of(flags);
    assertThat(all.json().get("features")).hasSize(6);
    assertThat(all.err()).startsWith("note: column id is taken for categories, and most of");
    CliRun without =
        CliRun.of(
            Stream.concat(Stream.of(flags), Stream.of("--exclude=id")).toArray(String[]::new));
    assertThat(without.json().get("features")).hasSize(5);
    assertThat(without.err()).isEmpty();
  }

  @Test
  void categoriesThatFindNoRoom_areSaid() throws IOException {
    List<String> lines = new ArrayList<>(List.of("kind,y"));
    for (int i = 0; i < 2 * 760; i++) {
      lines.add("k" + (1_000 + i % 760) + "x".repeat(994) + "," + i % 3);
    }
    Path many = Files.write(folder.resolve("many.csv"), lines);
    CliRun run =
        CliRun.of("fit", "--data=" + many, "--label=y", "--objective=squared", "--rounds=1");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err())
        .contains(
            "column kind has more categories than a model holds (100,000, and 720,000 bytes of all"
                + " columns' categories together): 80 values of the others count as missing");
  }

  @Test
  void fit_json_saysWhatWasFittedAndHowItDoes() {
    JsonNode fit = fit("--gamma=2", "--test=" + test, "--test=" + train);
    assertThat(fit.get("objective").asText()).isEqualTo("squared");
    assertThat(fit.get("gamma").asDouble()).isEqualTo(2);
    assertThat(fit.get("rows").asInt()).isEqualTo(600);
    assertThat(fit.get("features"))
        .extracting(JsonNode::asText)
        .containsExactly("kind", "x", "noise");
    assertThat(fit.get("anchorLoss")).hasSize(31);
    JsonNode first = fit.at("/anchorLoss/0");
    assertThat(first.get("round").asInt()).isZero();
    assertThat(first.get("total").asDouble())
        .isEqualTo(first.get("base").asDouble() + first.get("penalty").asDouble());
    assertThat(fit.at("/anchorLoss/30/total").asDouble())
        .isLessThan(0.05 * first.get("total").asDouble());
    assertThat(fit.get("test")).hasSize(2);
    JsonNode result = fit.at("/test/0");
    assertThat(result.get("file").asText()).isEqualTo(test);
    assertThat(result.get("rows").asInt()).isEqualTo(200);
    assertThat(result.at("/metrics/mse").asDouble())
        .isCloseTo(2 * result.get("loss").asDouble(), within(1e-12));
    assertThat(result.get("environments"))
        .extracting(one -> one.get("environment").asText())
        .containsExactly("e0", "e1");
    assertThat(fit.get("safeguards").asInt()).isZero();
    assertThat(fit.get("out").isNull()).isTrue();
  }

  @Test
  void fit_withoutRounds_growsWhatOneFitNeeds_andMoreWhereRowsTellWhenToStop() {
    String[] flags = {
      "fit",
      "--data=" + train,
      "--label=y",
      "--environment=env",
      "--exclude=id,yb",
      "--objective=squared",
      "--json"
    };
    assertThat(CliRun.of(flags).json().get("trees").asInt()).isEqualTo(100);
    String[] slow = {"--hold-out=e1", "--patience=1000", "--max-leaves=2"};
    assertThat(CliRun.of(concat(flags, slow)).json().get("anchorLoss")).hasSize(1_001);
  }

  @Test
  void fit_sameSeed_sameResult() {
    assertThat(fit("--seed=3", "--test=" + test)).isEqualTo(fit("--seed=3", "--test=" + test));
  }

  @Test
  void fit_rowWithoutLabel_isCountedAndLeftOut() throws IOException {
    Path path = folder.resolve("gaps.csv");
    Files.writeString(path, Files.readString(Path.of(train)) + "r,e0,a,0.5,0.1,,1\n");
    JsonNode fit = fit(path.toString());
    assertThat(fit.get("rows").asInt()).isEqualTo(600);
    assertThat(fit.get("rowsWithoutLabel").asInt()).isOne();
  }

  @Test
  void fit_withoutJson_isATableForPeople() {
    CliRun run = CliRun.of("fit", "--data=" + train, "--label=y", "--objective=squared");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("100 trees on 600 rows").contains("anchor loss");
  }

  @Test
  void modelFile_scoresWithTheBitsOfTheFit() throws IOException {
    Path model = folder.resolve("deep/er/y.model");
    JsonNode fit = fit("--test=" + test, "--out=" + model);
    assertThat(fit.get("out").asText()).isEqualTo(model.toString());
    CliRun run =
        CliRun.of("score", test, "--model=" + model, "--label=y", "--environment=env", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(201);
    JsonNode first = new ObjectMapper().readTree(lines.getFirst());
    assertThat(first.get("row").asInt()).isOne();
    assertThat(first.get("prediction")).isEqualTo(first.get("rawScore"));
    JsonNode evaluation = new ObjectMapper().readTree(lines.getLast()).get("evaluation");
    assertThat(evaluation.get("loss")).isEqualTo(fit.at("/test/0/loss"));
    assertThat(evaluation.get("environments")).isEqualTo(fit.at("/test/0/environments"));
  }

  @Test
  void score_binaryModel_writesProbabilitiesAsCsv() throws IOException {
    Path model = folder.resolve("yb.model");
    Path scores = folder.resolve("scores.csv");
    CliRun fit =
        CliRun.of(
            "fit",
            "--data=" + train,
            "--label=yb",
            "--exclude=y,id",
            "--objective=logistic",
            "--out=" + model);
    assertThat(fit.exitCode()).as(fit.err()).isZero();
    CliRun score = CliRun.of("score", test, "--model=" + model, "--out=" + scores);
    assertThat(score.exitCode()).as(score.err()).isZero();
    List<String> lines = Files.readAllLines(scores);
    assertThat(lines).hasSize(201).startsWith("row,prediction,rawScore");
    for (String line : lines.subList(1, lines.size())) {
      double prediction = Double.parseDouble(line.split(",", -1)[1]);
      assertThat(prediction).isBetween(0.0, 1.0);
    }
  }

  @Test
  void modelFile_withAFlippedByte_isRefused() throws IOException {
    Path model = folder.resolve("y.model");
    fit("--out=" + model);
    byte[] bytes = Files.readAllBytes(model);
    for (int at :
        new int[] {bytes.length / 2, bytes.length - 80, bytes.length - 30, bytes.length - 3}) {
      byte[] broken = bytes.clone();
      broken[at] ^= 1;
      Path file = Files.write(folder.resolve("broken.model"), broken);
      CliRun.of("score", test, "--model=" + file).saysOneSentence(1, file.toString());
    }
  }

  @Test
  void backtest_learns_andEveryWindowIsTestedBeforeItIsTrainedOn() {
    JsonNode result = backtest("--delay=50");
    assertThat(result.get("rows").asInt()).isEqualTo(600);
    assertThat(result.get("windows")).hasSize(6);
    // 1 and 2 are constants, which serve until a window is full
    assertThat(result.at("/windows/0/servedVersions")).hasToString("[0,1,2]");
    assertThat(result.at("/windows/2/environments")).hasSize(2);
    assertThat(result.get("versions").asInt()).isEqualTo(9);
    assertThat(result.at("/lastQuarter/margin").asDouble()).isGreaterThan(0.5);
    assertThat(result.at("/total/rows").asInt()).isEqualTo(600);
    double sum = 0;
    for (JsonNode window : result.get("windows")) {
      sum += window.get("rows").asInt() * window.get("loss").asDouble();
    }
    assertThat(result.at("/total/loss").asDouble()).isCloseTo(sum / 600, within(1e-9));
  }

  @Test
  void backtest_twice_givesTheSameVersions() {
    assertThat(backtest("--delay=50").get("hash")).isEqualTo(backtest("--delay=50").get("hash"));
  }

  @Test
  void backtest_laterLabels_meetOlderVersions() {
    assertThat(backtest("--delay=0").at("/windows/1/servedVersions")).hasToString("[3]");
    assertThat(backtest("--delay=100").at("/windows/1/servedVersions")).hasToString("[0,1,2]");
  }

  @Test
  void backtest_ofAConfiguration_isThatOfTheSameFlags() throws IOException {
    Path config = folder.resolve("holdfast.yml");
    Files.writeString(
        config,
        """
        kafka: { bootstrap.servers: "localhost:9092" }
        holdfast:
          models:
            m:
              objective: squared
              label: y
              labels: { in: topic }
              environment: env
              features: { exclude: [id, yb] }
              window: { rows: 100 }
        """);
    JsonNode result =
        CliRun.of("backtest", "--data=" + train, "--config=" + config, "--delay=50", "--json")
            .json();
    assertThat(result.get("total")).isEqualTo(backtest("--delay=50").get("total"));
  }

  private JsonNode backtest(String... flags) {
    String[] fixed = {
      "backtest",
      "--data=" + train,
      "--label=y",
      "--environment=env",
      "--exclude=id,yb",
      "--objective=squared",
      "--window=100",
      "--json"
    };
    return CliRun.of(concat(fixed, flags)).json();
  }

  private JsonNode fit(String... flags) {
    String data = flags.length > 0 && !flags[0].startsWith("--") ? flags[0] : train;
    String[] fixed = {
      "fit",
      "--data=" + data,
      "--label=y",
      "--environment=env",
      "--exclude=id,yb",
      "--objective=squared",
      "--rounds=30",
      "--learning-rate=0.3",
      "--json"
    };
    String[] others =
        data.equals(train) ? flags : List.of(flags).subList(1, flags.length).toArray(String[]::new);
    return CliRun.of(concat(fixed, others)).json();
  }

  private static String[] concat(String[] first, String[] second) {
    String[] all = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
