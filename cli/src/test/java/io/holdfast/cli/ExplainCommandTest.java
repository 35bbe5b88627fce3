package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.BoosterSettings.MulticlassTrees;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.schemas.ledger.ModelFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainCommandTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private String train;

  @SuppressWarnings("NullAway.Init")
  private String test;

  @SuppressWarnings("NullAway.Init")
  private String model;

  @BeforeEach
  void fit() throws IOException {
    train = TestFiles.write(folder.resolve("train.csv"), 600, 1).toString();
    test = TestFiles.write(folder.resolve("test.csv"), 40, 2).toString();
    model = folder.resolve("y.model").toString();
    CliRun fit =
        CliRun.of(
            "fit",
            "--data=" + train,
            "--label=y",
            "--environment=env",
            "--exclude=id,yb",
            "--objective=squared",
            "--rounds=30",
            "--learning-rate=0.3",
            "--out=" + model);
    assertThat(fit.exitCode()).as(fit.err()).isZero();
  }

  @Test
  void importance_json_ranksFeaturesByGain() {
    JsonNode result = CliRun.of("explain", "--model=" + model, "--json").json();
    assertThat(result.get("objective").asText()).isEqualTo("squared");
    assertThat(result.get("trees").asInt()).isEqualTo(30);
    JsonNode features = result.get("importance");
    assertThat(features)
        .extracting(one -> one.get("feature").asText())
        .containsExactly("x", "kind", "noise"); // y = 3 x + 2 if b
    double shares = 0;
    for (JsonNode feature : features) {
      shares += feature.get("gainShare").asDouble();
      assertThat(feature.get("splits").asInt()).isPositive();
    }
    assertThat(shares).isCloseTo(1, within(1e-12));
    assertThat(features.get(2).get("gainShare").asDouble()).isLessThan(0.01);
  }

  @Test
  void importance_forPeople_isATable() {
    CliRun run = CliRun.of("explain", "--model=" + model);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .hasSize(4)
        .first()
        .asString()
        .matches("feature +gain +share +splits");
  }

  @Test
  void contributions_ofFeaturesCalledAsOtherColumns_haveNamesOfTheirOwn() throws IOException {
    StringBuilder lines = new StringBuilder("row,expected,contribution of row,y\n");
    for (int row = 0; row < 200; row++) {
      lines.append(row % 7).append(',').append(row % 5).append(',').append(row % 3).append(',');
      lines.append(row % 7 + row % 5 + row % 3).append('\n');
    }
    String data = Files.writeString(folder.resolve("row.csv"), lines).toString();
    String fitted = folder.resolve("row.model").toString();
    CliRun.of("fit", "--data=" + data, "--label=y", "--objective=squared", "--out=" + fitted);
    CliRun run = CliRun.of("explain", data, "--model=" + fitted);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().findFirst().orElseThrow().split(","))
        .containsExactly(
            "row",
            "rawScore",
            "expected",
            "contribution of row",
            "contribution of expected",
            "contribution of contribution of row");
  }

  @Test
  void contributions_json_addUpToTheScoresOfScore() {
    List<JsonNode> lines = jsonLines(explain(test, "--json").out());
    List<JsonNode> scores = jsonLines(CliRun.of("score", test, "--model=" + model, "--json").out());
    assertThat(lines).hasSize(41);
    for (int row = 0; row < 40; row++) {
      JsonNode line = lines.get(row);
      assertThat(line.get("row").asInt()).isEqualTo(row + 1);
      assertThat(line.get("rawScore")).isEqualTo(scores.get(row).get("rawScore"));
      assertThat(line.get("contributions").fieldNames())
          .toIterable()
          .containsExactly("kind", "x", "noise");
      double sum = line.get("expected").asDouble();
      for (JsonNode contribution : line.get("contributions")) {
        sum += contribution.asDouble();
      }
      assertThat(sum).isCloseTo(line.get("rawScore").asDouble(), within(1e-11));
    }
    JsonNode means = lines.getLast().get("meanContributions");
    assertThat(means)
        .extracting(one -> one.get("feature").asText())
        .containsExactly("x", "kind", "noise");
    double size = 0;
    for (JsonNode line : lines.subList(0, 40)) {
      size += Math.abs(line.at("/contributions/x").asDouble());
    }
    assertThat(means.get(0).get("size").asDouble()).isCloseTo(size / 40, within(1e-12));
  }

  @Test
  void contributions_csv_haveAColumnAFeature() throws IOException {
    Path out = folder.resolve("contributions.csv");
    CliRun run = explain(test, "--out=" + out);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("mean size of contributions").contains("noise");
    List<String> lines = Files.readAllLines(out);
    assertThat(lines).hasSize(41).startsWith("row,rawScore,expected,kind,x,noise");
    for (String line : lines.subList(1, lines.size())) {
      double[] cells =
          Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      assertThat(cells[2] + cells[3] + cells[4] + cells[5]).isCloseTo(cells[1], within(1e-11));
    }
  }

  @Test
  void contributions_keptColumns_goBeforeThem() throws IOException {
    List<String> plain = explain(test).out().lines().toList();
    List<String> kept = explain(test, "--keep=id,x").out().lines().toList();
    List<String> rows = Files.readAllLines(Path.of(test));
    assertThat(kept).hasSameSizeAs(plain);
    assertThat(kept.getFirst()).isEqualTo("id,kept x," + plain.getFirst());
    for (int row = 1; row < plain.size(); row++) {
      assertThat(kept.get(row))
          .startsWith(rows.get(row).split(",", -1)[0] + ",")
          .endsWith("," + plain.get(row));
    }
    assertThat(explain(test, "--keep=id", "--json").out())
        .startsWith("{\"kept\":{\"id\":\"r0\"},\"row\":1,");
  }

  @Test
  void contributions_background_areAgainstThoseRows() {
    List<JsonNode> lines = jsonLines(explain(test, "--json", "--background=" + test).out());
    double mean = 0;
    for (JsonNode line : lines.subList(0, 40)) {
      mean += line.get("rawScore").asDouble() / 40;
    }
    assertThat(lines.getFirst().get("expected").asDouble()).isCloseTo(mean, within(1e-11));
  }

  @Test
  void partialDependence_csv_risesWithTheFeature() {
    CliRun run = explain(test, "--partial-dependence=x", "--grid=5");
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(7).startsWith("x,prediction");
    assertThat(lines.getLast()).startsWith(",").as("missing values have a point of their own");
    double last = -100;
    for (String line : lines.subList(1, 6)) {
      double mean = Double.parseDouble(line.split(",", -1)[1]);
      assertThat(mean).isGreaterThan(last);
      last = mean;
    }
  }

  @Test
  void partialDependence_twoFeaturesByEnvironment_json() throws IOException {
    Path out = folder.resolve("curve.json");
    explain(
        test,
        "--partial-dependence=kind,x",
        "--grid=3",
        "--environment=env",
        "--raw",
        "--json",
        "--out=" + out);
    JsonNode curve = new ObjectMapper().readTree(out.toFile());
    assertThat(curve.get("features")).extracting(JsonNode::asText).containsExactly("kind", "x");
    assertThat(curve.get("scale").asText()).isEqualTo("rawScore");
    assertThat(curve.get("points")).hasSize(2 * 4);
    assertThat(curve.at("/points/0/at/0").asText()).isIn("a", "b");
    assertThat(curve.at("/points/3/at/1").isNull()).isTrue();
    JsonNode point = curve.at("/points/1");
    double mean = 0;
    for (String environment : List.of("e0", "e1")) {
      mean += 0.5 * point.at("/environments/" + environment + "/0").asDouble();
    }
    assertThat(point.at("/means/0").asDouble()).isCloseTo(mean, within(1e-12));
    List<String> csv =
        explain(test, "--partial-dependence=kind", "--environment=env").out().lines().toList();
    assertThat(csv).hasSize(1 + 2 * 3).startsWith("kind,environment,prediction");
  }

  @Test
  void explain_modelOfAnOlderFormat_explainsByGivenRows() throws IOException {
    Path old = folder.resolve("old.model");
    try (InputStream stored = getClass().getResourceAsStream("format1/y.model")) {
      Files.copy(Objects.requireNonNull(stored), old);
    }
    Path rows = folder.resolve("rows.csv");
    try (InputStream stored = getClass().getResourceAsStream("format1/rows.csv")) {
      Files.copy(Objects.requireNonNull(stored), rows);
    }
    CliRun importance = CliRun.of("explain", "--model=" + old);
    assertThat(importance.exitCode()).isZero();
    assertThat(importance.out().lines().findFirst().orElseThrow()).matches("feature +splits");
    assertThat(importance.err()).contains("does not know what its splits gained");
    JsonNode json = CliRun.of("explain", "--model=" + old, "--json").json();
    assertThat(json.at("/importance/0/gain").isNull()).isTrue();
    CliRun.of("explain", rows.toString(), "--model=" + old)
        .saysOneSentence(1, "how many training rows reached each leaf", "--background");
    CliRun by =
        CliRun.of("explain", rows.toString(), "--model=" + old, "--background=" + rows, "--json");
    assertThat(by.exitCode()).as(by.err()).isZero();
    assertThat(jsonLines(by.out())).hasSizeGreaterThan(10);
  }

  @Test
  void explain_modelOfSeveralScoresThatALibraryUserSaved_aLineForEachScore() throws IOException {
    Path saved = folder.resolve("saved.model");
    Model classes = threeClasses();
    ModelFile.save(saved, "saved", classes, 1, 0, Instant.EPOCH);
    model = saved.toString();
    List<String> csv = explain(test).out().lines().toList();
    assertThat(csv).hasSize(1 + 40 * 3).startsWith("row,output,rawScore,expected,x,kind");
    assertThat(csv.get(1)).startsWith("1,0,");
    assertThat(csv.get(3)).startsWith("1,2,");
    for (JsonNode line : jsonLines(explain(test, "--json").out()).subList(0, 120)) {
      double sum = line.get("expected").asDouble();
      for (JsonNode contribution : line.get("contributions")) {
        sum += contribution.asDouble();
      }
      assertThat(sum).isCloseTo(line.get("rawScore").asDouble(), within(1e-9));
      assertThat(line.get("output").asInt()).isBetween(0, 2);
    }
    List<String> curve = explain(test, "--partial-dependence=kind").out().lines().toList();
    assertThat(curve).hasSize(1 + 2 * 3).startsWith("kind,class,prediction");
    double total = 0;
    for (String line : curve.subList(1, 4)) {
      total += Double.parseDouble(line.split(",", -1)[2]);
    }
    assertThat(total).as("probabilities of the classes").isCloseTo(1, within(1e-9));
    assertThat(explain(test, "--partial-dependence=kind", "--raw").out())
        .startsWith("kind,output,rawScore");
    CliRun scores = CliRun.of("score", test, "--model=" + model);
    assertThat(scores.exitCode()).as(scores.err()).isZero();
  }

  /** Low, middling and high x, shifted by kind; with vector leaves and a linear base. */
  private static Model threeClasses() {
    var random = new SplittableRandom(4);
    Rows.Builder rows = Rows.builder(2);
    for (int row = 0; row < 300; row++) {
      double x = random.nextDouble(-1, 1);
      int kind = random.nextInt(2);
      rows.add(new double[] {x, kind}, Math.clamp((long) Math.floor(2 * x + kind + 1), 0, 2));
    }
    List<Feature> features =
        List.of(new Feature.Numeric("x"), new Feature.Categorical("kind", List.of("a", "b")));
    BoosterSettings settings =
        BoosterSettings.builder(new Softmax(3))
            .rounds(10)
            .multiclass(MulticlassTrees.VECTOR)
            .linearBase(LinearBase.ridge(0.1))
            .build();
    return new Booster(settings).fit(features, rows.build()).model();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --partial-dependence=z          | 2 | names feature z, which the model does not have
          --partial-dependence=nose       | 2 | did you mean noise?
          --partial-dependence=x,x        | 2 | two different features: x
          --partial-dependence=x,kind,x   | 2 | takes one feature or two, and there are 3
          --partial-dependence=x --grid=1 | 2 | --grid must be at least 2: 1
          --partial-dependence=x --background=a.csv | 2 | --background is for contributions
          --partial-dependence=x --keep=id | 2 | --keep is for contributions
          --keep=name                     | 2 | --keep names column name
          --partial-dependence=x --environment=place | 2 | --environment names column place
          --environment=env               | 2 | --environment is for --partial-dependence
          --raw                           | 2 | --raw is for --partial-dependence
          --background=none.csv           | 1 | there is no file none.csv
          """)
  void explain_wrongFlags_saysWhat(String flags, int exitCode, String message) {
    String[] all = ("explain " + test + " --model=" + model + " " + flags).split(" ", -1);
    CliRun.of(all).saysOneSentence(exitCode, message);
  }

  @Test
  void explain_withoutData_flagsThatNeedItSaySo() {
    CliRun.of("explain", "--model=" + model, "--partial-dependence=x")
        .saysOneSentence(2, "--partial-dependence needs DATA");
    CliRun.of("explain", "--model=" + model, "--background=" + test)
        .saysOneSentence(2, "--background is for contributions: it needs DATA");
    CliRun.of("explain", "--model=" + folder.resolve("none.model"))
        .saysOneSentence(1, "there is no model file");
  }

  @Test
  void explain_noRows_saysSo() throws IOException {
    Path empty = folder.resolve("empty.csv");
    Files.writeString(empty, "id,env,kind,x,noise,y,yb\n");
    CliRun.of("explain", empty.toString(), "--model=" + model, "--json")
        .saysOneSentence(1, empty + " has a header and no rows");
    CliRun.of("explain", empty.toString(), "--model=" + model, "--partial-dependence=x")
        .saysOneSentence(1, empty + " has a header and no rows");
  }

  private CliRun explain(String data, String... flags) {
    String[] all =
        Arrays.copyOf(new String[] {"explain", data, "--model=" + model}, flags.length + 3);
    System.arraycopy(flags, 0, all, 3, flags.length);
    CliRun run = CliRun.of(all);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static List<JsonNode> jsonLines(String text) {
    return text.lines()
        .map(
            line -> {
              try {
                return new ObjectMapper().readTree(line);
              } catch (JsonProcessingException e) {
                throw new AssertionError("not JSON: " + line, e);
              }
            })
        .toList();
  }
}
