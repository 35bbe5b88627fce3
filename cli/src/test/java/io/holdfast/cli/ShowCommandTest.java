package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShowCommandTest {
  @TempDir Path folder;

  private Path data;
  private Path model;

  @BeforeEach
  void fit() throws IOException {
    data = TestFiles.write(folder.resolve("data.csv"), 600, 1);
    model = folder.resolve("m.hf");
    CliRun run = fit("y", "squared");
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private CliRun fit(String label, String objective) {
    return CliRun.of(
        "fit",
        "--data=" + data,
        "--label=" + label,
        "--environment=env",
        "--exclude=id," + (label.equals("y") ? "yb" : "y"),
        "--objective=" + objective,
        "--rounds=20",
        "--out=" + model);
  }

  private JsonNode shown(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("show", "" + model, "--json"));
    arguments.addAll(List.of(more));
    CliRun run = CliRun.of(arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void features_areWorthWhatTheyDo_byEachMeasure() throws IOException {
    JsonNode importance = shown("--data=" + data).get("importance");
    assertThat(importance.findValuesAsText("feature")).containsExactly("x", "kind", "noise");
    JsonNode x = importance.get(0);
    JsonNode noise = importance.get(2);
    assertThat(x.get("gainShare").asDouble()).isGreaterThan(0.5);
    assertThat(x.at("/permutation/lower").asDouble())
        .isGreaterThan(importance.get(1).at("/permutation/upper").asDouble())
        .isLessThan(x.at("/permutation/value").asDouble());
    assertThat(noise.at("/permutation/value").asDouble()).isLessThan(0.05);
    assertThat(x.get("shapley").asDouble()).isGreaterThan(10 * noise.get("shapley").asDouble());
  }

  @Test
  void dependence_andCalibration_areThoseOfTheLabel() throws IOException {
    JsonNode onRows = shown("--data=" + data).get("data");
    JsonNode kind = onRows.at("/dependence/1/points");
    double ofFirst = kind.at("/0/mean/0").asDouble() - kind.at("/1/mean/0").asDouble();
    assertThat(kind.at("/0/at").asText().equals("b") ? ofFirst : -ofFirst)
        .isBetween(1.7, 2.1); // kind b adds 2
    for (JsonNode group : onRows.get("calibration")) {
      assertThat(group.get("observed").asDouble())
          .isBetween(group.get("lower").asDouble(), group.get("upper").asDouble());
      assertThat(group.get("predicted").asDouble() - group.get("observed").asDouble())
          .isBetween(-0.6, 0.6); // 20 rounds of rate 0.1 leave an eighth of the way
    }
    JsonNode environments = onRows.get("environments");
    assertThat(environments.findValuesAsText("environment")).containsExactlyInAnyOrder("e0", "e1");
    assertThat(environments.at("/0/loss").asDouble())
        .isGreaterThanOrEqualTo(environments.at("/1/loss").asDouble());
  }

  @Test
  void page_holdsTheNumbersOfJson_andNeedsNothingBesideItself() throws IOException {
    Path html = folder.resolve("m.html");
    JsonNode json = shown("--data=" + data, "--html=" + html);
    String page = Files.readString(html);
    PageFigures figures = PageFigures.of(page);
    figures.haveTheNumbersOf("gain share", json.get("importance"), "gainShare");
    figures.haveTheNumbersOf("calibration", json.at("/data/calibration"), "observed");
    figures.haveTheNumbersOf("the worst loss", json.at("/data/environments"), "loss");
    assertThat(page).contains("prefers-color-scheme: dark", "width=device-width", "lang=\"en\"");
    assertThat(page).doesNotContainPattern("(src|href)=\"(?!data:|#)").doesNotContain("http://");
  }

  @Test
  void trees_areWrittenOut_asManyAsAskedFor() throws IOException {
    JsonNode json = shown("--trees=2");
    assertThat(json.get("trees")).hasSize(2);
    assertThat(json.at("/trees/0/condition").asText()).isNotEmpty();
    assertThat(json.at("/forest/trees").asInt()).isEqualTo(20);
    assertThat(json.has("data")).isFalse();
    assertThat(CliRun.of("show", "" + model).out()).contains("Tree 3", "yes: ", "adds ");
  }

  @Test
  void classifier_isCalibratedByShares() throws IOException {
    assertThat(fit("yb", "logistic").exitCode()).isZero();
    for (JsonNode group : shown("--data=" + data).at("/data/calibration")) {
      assertThat(group.get("observed").asDouble()).isBetween(0.0, 1.0);
      assertThat(group.get("upper").asDouble()).isGreaterThan(group.get("lower").asDouble());
    }
  }

  @Test
  void whatCannotBeShown_isSaidInOneSentence() {
    CliRun.of("show", "bikes").saysOneSentence(2, "bikes", "holdfast models show");
    CliRun.of("show", "" + model, "--label=y").saysOneSentence(2, "--label", "--data");
    CliRun.of("show", "" + model, "--trees=-1").saysOneSentence(2, "--trees", "-1");
  }
}
