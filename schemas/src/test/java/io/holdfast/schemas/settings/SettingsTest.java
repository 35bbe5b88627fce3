package io.holdfast.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.schemas.settings.ModelSettings.Upkeep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final String LEAST =
      """
      holdfast:
        models:
          bikes:
            objective: squared
            label: count
      """;

  static final ModelSettings.Drift NO_DRIFT =
      new ModelSettings.Drift(ModelSettings.Drift.Action.NOTHING, 0.01);
  static final Strength GIVEN = new Strength(false, new Criterion.Worst(), List.of(), null, false);

  @TempDir private Path folder;

  static ModelSettings.Features features(
      List<String> include, List<String> exclude, List<String> categorical) {
    return new ModelSettings.Features(
        include, exclude, categorical, List.of(), List.of(), ModelSettings.Absent.SERVE);
  }

  private static BoosterSettings leastBooster() {
    return BoosterSettings.builder(new Squared())
        .gamma(1)
        .rounds(10)
        .learningRate(0.1)
        .trees(new TreeLimits(31, 6, 20, 0.001, 0))
        .penalties(Penalties.ridge(1))
        .maxBins(255)
        .seed(1)
        .build();
  }

  @Test
  void read_leastFile_hasAllDefaults() throws IOException {
    Settings settings = read(LEAST);

    assertThat(settings)
        .isEqualTo(
            new Settings(
                Map.of("bootstrap.servers", "localhost:9092"),
                new Settings.Service(
                    "127.0.0.1", 8080, "holdfast", null, Path.of("holdfast-data", "state")),
                new Settings.Trainer("127.0.0.1", 8081),
                new Settings.SharedTopics(
                    "holdfast.models", "holdfast.reports", "holdfast.schemas"),
                Map.of(
                    "bikes",
                    new ModelSettings(
                        "bikes",
                        leastBooster(),
                        "count",
                        List.of(),
                        new ModelSettings.Labels.InRecord(Duration.ofSeconds(10)),
                        null,
                        List.of(),
                        null,
                        null,
                        null,
                        features(List.of(), List.of(), List.of()),
                        new ModelSettings.Window(
                            1, 1, 100, 10_000, 50, Duration.ofSeconds(1), Duration.ofSeconds(2)),
                        new ModelSettings.Update(
                            "auto",
                            500,
                            ModelSettings.Gate.ALWAYS,
                            0,
                            0.2,
                            0.01,
                            Upkeep.of("auto")),
                        NO_DRIFT,
                        new ModelSettings.ModelTopics(
                            "bikes.records",
                            "bikes.scores",
                            "bikes.labels",
                            "bikes.examples",
                            "bikes.dead-letters",
                            "bikes.shadow-scores",
                            "bikes.join",
                            900_000,
                            Framings.DETECTED),
                        List.of(),
                        100,
                        null,
                        GIVEN,
                        List.of(),
                        false)),
                null,
                Security.NONE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update: { gate: beter } | holdfast.models.bikes.update.gate must be one of always, better,"
            + " shown, manual: beter; did you mean better? (holdfast.yaml line 6)",
        "update: { policy: autp } | holdfast.models.bikes.update.policy must be one of append,"
            + " decay, refit, replace, auto: autp; did you mean auto? (holdfast.yaml line 6)",
        "update: { halfLife: 5 } | holdfast.models.bikes.update.halfLife has no meaning unless"
            + " holdfast.models.bikes.update.policy is decay: leave it out (holdfast.yaml line 6)",
        "update: { policy: refit, refitRate: 2 } | holdfast.models.bikes.update.refitRate must be a"
            + " number from 0 to 1: 2 (holdfast.yaml line 6)",
        "update: { margin: 0.1 } | holdfast.models.bikes.update.margin has no meaning unless"
            + " holdfast.models.bikes.update.gate is better: leave it out (holdfast.yaml line 6)",
        "update: { gate: better, holdOut: 1 } | holdfast.models.bikes.update.holdOut must be a"
            + " number above 0 and below 1: 1 (holdfast.yaml line 6)",
        "drift: { action: shorter } | holdfast.models.bikes.drift.action must be one of nothing,"
            + " report, shorten, replace: shorter; did you mean shorten? (holdfast.yaml line 6)",
        "drift: { falseAlarms: 0.9 } | holdfast.models.bikes.drift.falseAlarms must be a number"
            + " above 0, up to 0.5: 0.9 (holdfast.yaml line 6)",
        "retainVersions: 0 | holdfast.models.bikes.retainVersions must be a whole number from 1 to"
            + " 1000: 0 (holdfast.yaml line 6)",
        "maxModelAge: 0s | holdfast.models.bikes.maxModelAge must be a duration above 0: 0s"
            + " (holdfast.yaml line 6)",
        "gamma: -1 | holdfast.models.bikes.gamma must be a number of 0 or more, or auto: -1"
            + " (holdfast.yaml line 6)",
        "gamma: .nan | holdfast.models.bikes.gamma must be a number of 0 or more, or auto: .nan"
            + " (holdfast.yaml line 6)",
        "trees: { maxLeaves: 1 } | holdfast.models.bikes.trees.maxLeaves must be a whole number"
            + " from 2 to 4096: 1 (holdfast.yaml line 6)",
        "trees: { maxLeafs: 9 } | holdfast.models.bikes.trees.maxLeafs is no setting; did you mean"
            + " holdfast.models.bikes.trees.maxLeaves? (holdfast.yaml line 6)",
        "trees: { max-leaves: 9 } | holdfast.models.bikes.trees.max-leaves is no setting; did you"
            + " mean holdfast.models.bikes.trees.maxLeaves? (holdfast.yaml line 6)",
        "policy: append | holdfast.models.bikes.policy is no setting; did you mean"
            + " holdfast.models.bikes.update.policy? (holdfast.yaml line 6)",
        "rows: 500 | holdfast.models.bikes.rows is no setting; did you mean"
            + " holdfast.models.bikes.window.rows? (holdfast.yaml line 6)",
        "trees: { rounds: 2.5 } | holdfast.models.bikes.trees.rounds must be a whole number from 1"
            + " to 10000: 2.5 (holdfast.yaml line 6)",
        "trees: { learningRate: 0 } | holdfast.models.bikes.trees.learningRate must be a number"
            + " above 0, at most 1: 0 (holdfast.yaml line 6)",
        "trees: 5 | holdfast.models.bikes.trees must be a group of keys, not a single value"
            + " (holdfast.yaml line 6)",
        "window: { rows: [1] } | holdfast.models.bikes.window.rows must be a single value: a list"
            + " (holdfast.yaml line 6)",
        "window: { rows: 10, maxRows: 5 } | holdfast.models.bikes.window.maxRows must be at least"
            + " holdfast.models.bikes.window.rows, which is 10: 5 (holdfast.yaml line 6)",
        "labels: { in: topik } | holdfast.models.bikes.labels.in must be one of record, topic:"
            + " topik; did you mean topic? (holdfast.yaml line 6)",
        "labels: { in: topic, wait: 5 } | holdfast.models.bikes.labels.wait must be a duration such"
            + " as 90s, 5m, 1h, 7d or PT1H: 5 (holdfast.yaml line 6)",
        "labels: { wait: 5m } | holdfast.models.bikes.labels.wait has no meaning while"
            + " holdfast.models.bikes.labels.in is record: leave it out, or set"
            + " holdfast.models.bikes.labels.in to topic (holdfast.yaml line 6)",
        "update: { maxTrees: 3 } | holdfast.models.bikes.update.maxTrees must be at least"
            + " holdfast.models.bikes.trees.rounds, which is 10: 3 (holdfast.yaml line 4)",
        "features: { include: a } | holdfast.models.bikes.features.include must be a list such as"
            + " [a, b]: a single value (holdfast.yaml line 6)",
        "features: { include: [count] } | holdfast.models.bikes.features.include names the label"
            + " count: a model must not see what it predicts, so take it out (holdfast.yaml line"
            + " 4)",
        "topics: { scores: a/b } | holdfast.models.bikes.topics.scores must be 1 to 249 letters,"
            + " digits, dots, underscores and hyphens: a/b (holdfast.yaml line 6)",
        "environment: '' | holdfast.models.bikes.environment must be set to a value or left out: ''"
            + " (holdfast.yaml line 6)",
        "gamma: ${GAMMA} | holdfast.models.bikes.gamma names the environment variable GAMMA, which"
            + " is not set: set it or write ${GAMMA:default} (holdfast.yaml line 6)",
        "label: other | holdfast.models.bikes.label is set twice; keep one of them (holdfast.yaml"
            + " line 6)",
        "bogusKey: 1 | holdfast.models.bikes.bogusKey is no setting; known here: labels, anchors,"
            + " classes, objective, link, delta, alpha, precision, power, trees, booster, adaboost,"
            + " gamma, anchorSplits, anchorIntercept, base, linear, classWeights, threads, seed,"
            + " uncertainty, update, label, environment, weight, time, id, features, window, drift,"
            + " topics, schemas, retainVersions, maxModelAge, gammaBy, ladder (holdfast.yaml line"
            + " 6)",
        "ladder: { gammas: [3, 1] } | holdfast.models.bikes.ladder.gammas must be an ascending list"
            + " of numbers of 0 or more: 1 (holdfast.yaml line 6)",
        "ladder: { serve: 3 } | holdfast.models.bikes.ladder.serve has no meaning without"
            + " holdfast.models.bikes.ladder.gammas: leave it out (holdfast.yaml line 6)",
        "ladder: { gammas: [1, 3], serve: 4 } | holdfast.models.bikes.ladder.serve must be one of"
            + " the ladder's gammas, or adaptive: 4 (holdfast.yaml line 6)",
        "gamma: auto | holdfast.models.bikes.gamma is auto, which leaves environments out to"
            + " choose: name the field that says where a row comes from as"
            + " holdfast.models.bikes.environment (holdfast.yaml line 4)",
      })
  void read_wrongKey_saysKeyValueAndRemedy(String line, String expected) {
    SettingsException problem =
        catchThrowableOfType(SettingsException.class, () -> read(LEAST + "      " + line + "\n"));

    assertThat(problem.problems()).contains(expected);
  }

  @Test
  void read_ladderUnderAuto_saysWhyItHasNone() {
    SettingsException problem =
        catchThrowableOfType(
            SettingsException.class,
            () ->
                read(
                    LEAST
                        + "      ladder: { gammas: [1, 3] }\n"
                        + "      update: { policy: auto }\n"));

    assertThat(problem.problems())
        .singleElement()
        .asString()
        .startsWith("holdfast.models.bikes.update.policy is auto, whose ensembles stand on bases")
        .contains("leave holdfast.models.bikes.ladder.gammas out");
  }

  @Test
  void read_severalMistakes_saysAll() {
    assertThatThrownBy(() -> read("holdfast: { models: { b: { gama: 1, trees: { rounds: x } } } }"))
        .isInstanceOfSatisfying(
            SettingsException.class,
            problem ->
                assertThat(problem.problems())
                    .containsExactlyInAnyOrder(
                        "holdfast.models.b.objective is missing: choose one of squared, absolute,"
                            + " huber, quantile, logistic, probit, exponential, softmax, ordinal,"
                            + " beta, gamma, poisson, tweedie (holdfast.yaml line 1)",
                        "holdfast.models.b.label is missing: name the field that holds the label"
                            + " (holdfast.yaml line 1)",
                        "holdfast.models.b.trees.rounds must be a whole number from 1 to 10000: x"
                            + " (holdfast.yaml line 1)",
                        "holdfast.models.b.gama is no setting; did you mean"
                            + " holdfast.models.b.gamma? (holdfast.yaml line 1)"));
  }

  @Test
  void read_keyFarAboveItsGroup_isSaidWithAllGroups() {
    assertThatThrownBy(
            () -> read("holdfast: { gamma: 4, models: { b: { objective: squared, label: y } } }"))
        .hasMessageContaining(
            "holdfast.gamma is no setting; did you mean holdfast.models.b.gamma?");
  }

  @Test
  void read_variables_areFilledIn() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("v.yaml"),
            """
            kafka:
              bootstrap.servers: ${HOST:localhost}:${PORT:9092}
              sasl.jaas.config: "user=$${NAME} pw=${SECRET}"
            holdfast:
              service: { port: "${WEB}" }
              models: { m: { objective: squared, label: y } }
            """);

    Settings settings =
        Settings.read(file, Map.of("HOST", "kafka", "SECRET", "a: ${HOST} }", "WEB", "99"));

    assertThat(settings.kafka())
        .containsEntry("bootstrap.servers", "kafka:9092")
        .containsEntry("sasl.jaas.config", "user=${NAME} pw=a: ${HOST} }");
    assertThat(settings.service().port()).isEqualTo(99);
  }

  @Test
  void read_brokenFiles_sayFileAndLine() throws IOException {
    assertThatThrownBy(() -> read("holdfast:\n  models: [\n"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("holdfast.yaml is not valid YAML at line")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(() -> read("a: &x 1\nb: *x\n"))
        .hasMessageContaining("line 2: aliases are not supported; write the value out");
    assertThatThrownBy(() -> read("a: 1\n---\nb: 2\n")).hasMessageContaining("second document");
    assertThatThrownBy(() -> Settings.read(folder.resolve("none.yaml"), Map.of()))
        .hasMessage("there is no configuration file " + folder.resolve("none.yaml"));
    assertThatThrownBy(() -> Settings.read(folder, Map.of()))
        .hasMessage("the configuration file " + folder + " cannot be read: it is a folder");
    assertThatThrownBy(() -> read("")).hasMessageContaining("must have at least one model");
    assertThatThrownBy(() -> read("- 1\n"))
        .hasMessageContaining("the file must be a group of keys");
  }

  @Test
  void read_sharedOutputTopic_isRefused() {
    assertThatThrownBy(
            () ->
                read(
                    LEAST
                        + "    cars: { objective: squared, label: y, topics: { scores: bikes.scores"
                        + " } }"))
        .hasMessageContaining(
            "holdfast.models.bikes.topics.scores and holdfast.models.cars.topics.scores must be"
                + " different topics: bikes.scores");
  }

  @ParameterizedTest
  @CsvSource({"PT1H,3600", "90s,90", "5m,300", "1h,3600", "7d,604800", "1500ms,1", "p1d,86400"})
  void wait_formats_areRead(String text, long seconds) {
    ModelSettings settings =
        ModelSettings.of(
            "m",
            Map.of("objective", "squared", "label", "y", "labels.in", "topic", "labels.wait", text),
            key -> key);

    assertThat(((ModelSettings.Labels.InTopic) settings.labels()).maxWait().toSeconds())
        .isEqualTo(seconds);
  }

  @Test
  void of_flags_areCheckedUnderTheirOwnNames() {
    assertThatThrownBy(
            () ->
                ModelSettings.of(
                    "fit",
                    Map.of("objective", "cubic", "label", "y", "trees.maxLeaves", "0"),
                    key -> "--" + key.substring(key.indexOf('.') + 1)))
        .hasMessageContaining("poisson, tweedie: cubic")
        .hasMessageContaining("--maxLeaves must be a whole number from 2 to 4096: 0");
    assertThat(
            ModelSettings.of(
                    "fit",
                    Map.of("objective", "squared", "label", "y", "features.exclude", "a, b"),
                    key -> key)
                .features()
                .exclude())
        .containsExactly("a", "b");
  }

  @Test
  void trainingJson_isStable() throws IOException {
    ModelSettings settings =
        read(LEAST
                + "      environment: season\n      gamma: 7.50\n"
                + "      update: { policy: append }\n")
            .model("bikes");

    assertThat(settings.trainingJson())
        .isEqualTo(
            "{\"objective\":\"squared\",\"gamma\":7.5,\"trees\":{\"rounds\":10,\"learningRate\":0.1,"
                + "\"maxLeaves\":31,\"maxDepth\":6,\"minRows\":20,\"minHessian\":0.001,\"minGain\":0,"
                + "\"lambda\":1,\"maxBins\":255},\"seed\":1,\"label\":\"count\","
                + "\"environment\":\"season\",\"features\":{\"include\":[],\"exclude\":[],"
                + "\"categorical\":[]},\"window\":{\"rows\":1000,\"environments\":1,\"maxRows\":4000,"
                + "\"memoryRows\":10000},\"update\":{\"policy\":\"append\",\"maxTrees\":500}}");
  }

  @Test
  void strength_ofEveryKind_isKeptByTheTrainingJson() throws IOException {
    String model = LEAST + "      environment: season\n";
    for (String lines :
        List.of(
            "gamma: auto",
            "gamma: auto\n      gammaBy: mean",
            "ladder: { gammas: [1, 3, 10] }",
            "ladder: { gammas: [1, 3, 10], serve: 10 }",
            "ladder: { gammas: [0, 2.5], serve: adaptive }")) {
      ModelSettings settings = read(model + "      " + lines + "\n").model("bikes");
      ModelSettings again = ModelSettings.ofTrainingJson("bikes", settings.trainingJson());
      assertThat(settings.strength()).isNotEqualTo(GIVEN);
      assertThat(again.strength()).as(lines).isEqualTo(settings.strength());
      assertThat(again.booster().gamma()).isEqualTo(settings.booster().gamma());
    }
  }

  private Settings read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("holdfast.yaml"), yaml);
    return Settings.read(file, Map.of());
  }
}
