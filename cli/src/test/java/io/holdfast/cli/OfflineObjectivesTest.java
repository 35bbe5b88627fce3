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
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every objective from file to file: fit, score, refit and backtest. */
class OfflineObjectivesTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private String train;

  @SuppressWarnings("NullAway.Init")
  private String test;

  @BeforeEach
  void writeFiles() throws IOException {
    train = write("train.csv", 600, 1);
    test = write("test.csv", 200, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "absolute, real, mae",
    "huber --delta=0.3 --gamma=5, real, rmse",
    "quantile --alpha=0.9, real, pinball",
    "squared --gamma=5 --anchors=shift, real, rmse",
    "squared --base=linear --linear-strength=0.1 --gamma=3, real, rmse",
    "squared --monotone=x=increasing --lambda1=0.1 --sample-rows=0.7 --threads=2, real, rmse",
    "squared --gamma=3 --anchor-splits, real, rmse",
    "squared --interactions=x=own --gamma=2, real, rmse",
    "'softmax --classes=3 --class-weights=1,2.5,4', class, accuracy",
    "'logistic --class-weights=1,1.5', flag, logLoss",
    "logistic --gamma=3, flag, logLoss",
    "probit, flag, logLoss",
    "exponential, flag, auc",
    "softmax --classes=3 --gamma=3, class, accuracy",
    "softmax --classes=3 --multiclass=perClass, class, auc",
    "ordinal --classes=3 --link=probit --gamma=2, class, logLoss",
    "beta, share, mae",
    "gamma, positive, deviance",
    "poisson --gamma=3, count, deviance",
    "tweedie --power=1.3, count, deviance",
  })
  void objective_isFittedScoredRefittedAndBacktested(String flags, String label, String metric)
      throws IOException {
    String model = folder.resolve("m.model").toString();
    List<String> said = new ArrayList<>(List.of("--label=" + label, "--json"));
    if (!flags.contains("--anchors")) {
      said.add("--environment=env");
    }
    said.add("--features=kind,x");
    said.addAll(List.of(("--objective=" + flags).split(" ", -1)));
    JsonNode fit = run("fit", "--data=" + train, "--test=" + test, "--out=" + model, said);

    assertThat(fit.at("/test/0/metrics/" + metric).isNumber()).isTrue();
    assertThat(fit.at("/anchorLoss/10/total").asDouble())
        .isLessThan(fit.at("/anchorLoss/0/total").asDouble());
    List<JsonNode> scores = score(model, label);
    assertThat(scores.getLast().at("/evaluation/loss")).isEqualTo(fit.at("/test/0/loss"));

    String kept = folder.resolve("kept.model").toString();
    JsonNode same = run("refit", "--data=" + test, "--model=" + model, "--out=" + kept, decay(1));
    assertThat(same.get("after")).isEqualTo(same.get("before"));
    assertThat(score(kept, label)).isEqualTo(scores);
    String moved = folder.resolve("moved.model").toString();
    JsonNode refit = run("refit", "--data=" + test, "--model=" + kept, "--out=" + moved, decay(0));
    assertThat(refit.get("version").asLong()).isEqualTo(3);
    assertThat(refit.get("trees")).isEqualTo(fit.get("trees"));
    assertThat(score(moved, label).getLast().at("/evaluation/loss"))
        .isEqualTo(refit.at("/after/loss"))
        .isNotEqualTo(refit.at("/before/loss"));

    said.addAll(List.of("--window=150", "--learning-rate=0.3"));
    JsonNode backtest = run("backtest", "--data=" + train, "--delay=20", "", said);
    assertThat(backtest.at("/windows/3/metrics/" + metric).isNumber()).isTrue();
    assertThat(backtest.at("/windows/3/loss").asDouble())
        .isLessThan(backtest.at("/windows/3/constantLoss").asDouble());
  }

  @Test
  void score_ofClasses_hasAProbabilityEachThatAddUpToOne() throws IOException {
    Path model = folder.resolve("m.model");
    fit("softmax", "--classes=3", "--out=" + model);
    for (JsonNode score : score(model.toString(), "class").subList(0, 200)) {
      double[] probabilities = {0, 0, 0};
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        probabilities[k] = score.at("/probabilities/" + k).asDouble();
        sum += probabilities[k];
      }
      assertThat(sum).isCloseTo(1, within(1e-12));
      assertThat(probabilities[score.get("prediction").asInt()])
          .isEqualTo(Math.max(probabilities[0], Math.max(probabilities[1], probabilities[2])));
      assertThat(score.get("rawScores")).hasSize(3);
    }
    CliRun csv = CliRun.of("score", test, "--model=" + model);
    assertThat(csv.out().lines().findFirst())
        .contains(
            "row,prediction,probability0,probability1,probability2,rawScore0,rawScore1,rawScore2");
    assertThat(csv.out().lines().skip(1)).allMatch(line -> line.split(",", -1).length == 8);
  }

  @ParameterizedTest
  @CsvSource({"--hold-out=e2", "--validation"})
  void fit_whileRowsHeldOutGetBetter_isCutBackToTheBestRound(String rows) throws IOException {
    String validation = rows.equals("--validation") ? rows + "=" + test : rows;
    Path model = folder.resolve("m.model");
    JsonNode fit =
        fit(
            "softmax",
            "--classes=3",
            "--multiclass=perClass",
            "--rounds=500",
            "--learning-rate=0.5",
            validation,
            "--stop-by=worst",
            "--patience=7",
            "--test=" + test,
            "--out=" + model);

    int best = fit.get("bestRound").asInt();
    JsonNode losses = fit.get("validationLoss");
    assertThat(losses).hasSize(best + 8).hasSameSizeAs(fit.get("anchorLoss"));
    for (JsonNode loss : losses) {
      assertThat(loss.asDouble()).isGreaterThanOrEqualTo(losses.get(best).asDouble());
    }
    assertThat(fit.get("trees").asInt()).isEqualTo(3 * best);
    if (rows.equals("--validation")) {
      assertThat(fit.get("rows").asInt()).isEqualTo(600);
      double worst = 0;
      for (JsonNode environment : fit.at("/test/0/environments")) {
        worst = Math.max(worst, environment.get("loss").asDouble());
      }
      assertThat(losses.get(best).asDouble()).isCloseTo(worst, within(1e-12));
    } else {
      assertThat(fit.get("rows").asInt()).isEqualTo(400);
    }
    JsonNode last = score(model.toString(), "class").getLast();
    assertThat(last.at("/evaluation/loss")).isEqualTo(fit.at("/test/0/loss"));
  }

  @Test
  void fit_gammaAuto_choosesByEnvironmentsLeftOut_andFitsWithTheChoice() {
    String[] flags = {"--classes=3", "--rounds=8", "--gamma=auto"};
    JsonNode auto = fit("ordinal", flags);

    JsonNode trials = auto.get("gammaTrials");
    assertThat(trials).hasSizeGreaterThan(3);
    double least = Double.POSITIVE_INFINITY;
    for (JsonNode trial : trials) {
      assertThat(trial.get("losses")).hasSize(3);
      least = Math.min(least, trial.get("risk").asDouble());
    }
    double gamma = auto.get("gamma").asDouble();
    for (JsonNode trial : trials) {
      if (trial.get("gamma").asDouble() == gamma) {
        assertThat(trial.get("risk").asDouble()).isEqualTo(least);
      }
    }
    flags[2] = "--gamma=" + gamma;
    assertThat(fit("ordinal", flags).get("anchorLoss")).isEqualTo(auto.get("anchorLoss"));
  }

  /** By flags, or in a configuration as the trainer has it. */
  @Test
  void fit_gammaAuto_takesTheWorstOrTheMean_asItIsAsked() throws IOException {
    String[] flags = {"--classes=3", "--rounds=8", "--gamma=auto", "--gamma-by=mean"};
    JsonNode byMean = fit("ordinal", flags);
    assertThat(byMean.get("gammaBy").asText()).isEqualTo("mean");
    for (JsonNode trial : byMean.get("gammaTrials")) {
      assertThat(trial.get("risk")).isEqualTo(trial.get("mean"));
      assertThat(trial.get("gamma").asDouble()).as("gamma 0 protects from none").isPositive();
    }
    Path config = folder.resolve("auto.yml");
    Files.writeString(
        config,
        """
        holdfast:
          models:
            m:
              { objective: squared, label: real, environment: env, gamma: auto, trees: { rounds: 3 },
                features: { include: [kind, x] } }
        """);
    JsonNode configured =
        CliRun.of("fit", "--data=" + train, "--config=" + config, "--json").json();
    assertThat(configured.get("gammaBy").asText()).isEqualTo("worst");
    for (JsonNode trial : configured.get("gammaTrials")) {
      assertThat(trial.get("risk")).isEqualTo(trial.get("worst"));
    }
  }

  @Test
  void fit_gammaAuto_saysToPeopleWhatItChoseFrom() {
    CliRun run =
        CliRun.of(
            "fit",
            "--data=" + train,
            "--label=real",
            "--environment=env",
            "--features=kind,x",
            "--objective=squared",
            "--rounds=3",
            "--gamma=auto");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("worst environment left out")
        .contains("Chosen by the worst: gamma");
  }

  @Test
  void fit_stoppedEarly_saysSoToPeople() {
    CliRun run =
        CliRun.of(
            "fit",
            "--data=" + train,
            "--label=real",
            "--environment=env",
            "--features=kind,x",
            "--objective=squared",
            "--rounds=300",
            "--learning-rate=0.5",
            "--hold-out=e1",
            "--stop-by=quantile:0.9",
            "--patience=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("validation loss")
        .containsPattern("Of \\d+ rounds the first \\d+ are kept");
  }

  @Test
  void refit_withGammaOne_isThePlainOne_andDiffersFromTheAnchored() throws IOException {
    Path model = folder.resolve("m.model");
    fit("softmax", "--classes=3", "--gamma=7", "--out=" + model);
    List<JsonNode> results = new ArrayList<>();
    for (String flag : List.of("--gamma=7", "--gamma=1", "--decay=0.5")) {
      results.add(
          CliRun.of(
                  "refit",
                  "--data=" + test,
                  "--model=" + model,
                  "--out=" + folder.resolve("r.model"),
                  flag,
                  flag.startsWith("--decay") ? "--gamma=7" : "--decay=0.5",
                  "--test=" + train,
                  "--json")
              .json());
    }
    assertThat(results.get(0).get("after")).isNotEqualTo(results.get(1).get("after"));
    assertThat(results.get(0).get("hash")).isEqualTo(results.get(2).get("hash"));
    assertThat(results.get(1).get("gamma").asDouble()).isEqualTo(1);
    assertThat(results.get(1).at("/test/0/rows").asInt()).isEqualTo(600);
    assertThat(results.get(0).at("/after/loss").asDouble())
        .isLessThan(results.get(0).at("/before/loss").asDouble());
  }

  @Test
  void fit_ofAConfiguration_isThatOfTheSameFlags() throws IOException {
    Path config = folder.resolve("holdfast.yml");
    Files.writeString(
        config,
        """
        holdfast:
          models:
            m:
              objective: ordinal
              classes: 3
              label: class
              labels: { in: topic }
              environment: env
              gamma: 2
              features: { include: [kind, x] }
        """);
    JsonNode configured =
        CliRun.of("fit", "--data=" + train, "--config=" + config, "--json").json();
    assertThat(configured).isEqualTo(fit("ordinal", "--classes=3", "--gamma=2", "--rounds=10"));
    CliRun.of("fit", "--data=" + train, "--config=" + config, "--label=class")
        .saysOneSentence(2, "by --config or by flags, not by both");
  }

  private JsonNode fit(String objective, String... flags) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "fit",
                "--data=" + train,
                "--label=class",
                "--environment=env",
                "--features=kind,x",
                "--objective=" + objective,
                "--json"));
    arguments.addAll(List.of(flags));
    return CliRun.of(arguments.toArray(String[]::new)).json();
  }

  private static List<String> decay(int decay) {
    return List.of("--decay=" + decay, "--json");
  }

  private static JsonNode run(
      String command, String first, String second, String third, List<String> more) {
    List<String> arguments = new ArrayList<>(List.of(command, first, second, third));
    arguments.addAll(more);
    arguments.removeIf(String::isEmpty);
    return CliRun.of(arguments.toArray(String[]::new)).json();
  }

  private List<JsonNode> score(String model, String label) throws IOException {
    CliRun run = CliRun.of("score", test, "--model=" + model, "--label=" + label, "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : run.out().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines).hasSize(201);
    return lines;
  }

  /** Rows whose labels of every kind rise with {@code x} and are higher for kind b. */
  private String write(String name, int rows, long seed) throws IOException {
    var random = new SplittableRandom(seed);
    StringBuilder csv =
        new StringBuilder("env,shift,kind,x,real,flag,class,share,positive,count\n");
    for (int row = 0; row < rows; row++) {
      double x = random.nextDouble(2);
      double shift = random.nextGaussian();
      String kind = random.nextInt(2) == 0 ? "a" : "b";
      double mean = x + (kind.equals("b") ? 1 : 0) + 0.2 * shift;
      double seen = mean + 0.4 * random.nextGaussian();
      csv.append(
          String.format(
              Locale.ROOT,
              "e%d,%.5f,%s,%.5f,%.5f,%d,%d,%.6f,%.5f,%d%n",
              row % 3,
              shift,
              kind,
              x,
              seen,
              seen > 1.5 ? 1 : 0,
              Math.clamp((long) Math.floor(seen), 0, 2),
              1 / (1 + Math.exp(-seen)),
              Math.exp(seen),
              Math.max(0, (long) (3 * seen))));
    }
    return Files.writeString(folder.resolve(name), csv).toString();
  }
}
