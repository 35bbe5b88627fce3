package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * AdaBoost from the command line: fit, score, explain and backtest, as gradient boosting has it.
 */
class AdaBoostCommandsTest {
  @TempDir Path folder;
  private Path two;
  private Path three;

  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder binary = new StringBuilder("x,z,y\n");
    StringBuilder classes = new StringBuilder("x,z,y\n");
    for (int row = 0; row < 600; row++) {
      double x = random.nextDouble();
      double z = random.nextDouble();
      String features = x + "," + z + ",";
      binary.append(features).append(x + z > 1 ? 1 : 0).append('\n');
      classes.append(features).append((int) (3 * Math.min(0.999, (x + z) / 2))).append('\n');
    }
    two = Files.writeString(folder.resolve("two.csv"), binary);
    three = Files.writeString(folder.resolve("three.csv"), classes);
  }

  @ParameterizedTest
  @CsvSource({
    "exponential,,",
    "exponential,--criterion=error,",
    "exponential,--resample,--max-depth=3",
    "softmax,--classes=3,--max-depth=2",
  })
  void fit_score_explain(String objective, String more, String evenMore) throws IOException {
    Path data = objective.equals("softmax") ? three : two;
    Path model = folder.resolve("m.hf");
    CliRun fit =
        run(
            "fit",
            "--data=" + data,
            "--label=y",
            "--objective=" + objective,
            "--booster=adaboost",
            "--min-rows=1",
            "--out=" + model,
            "--json",
            more,
            evenMore);
    assertThat(fit.exitCode()).as(fit.err()).isZero();
    Path scores = folder.resolve("scores.csv");
    CliRun score = run("score", "" + data, "--model=" + model, "--out=" + scores);
    assertThat(score.exitCode()).as(score.err()).isZero();
    assertThat(Files.readAllLines(scores)).hasSize(601);
    CliRun test =
        run(
            "fit",
            "--data=" + data,
            "--label=y",
            "--objective=" + objective,
            "--booster=adaboost",
            "--min-rows=1",
            "--test=" + data,
            "--json",
            "--out=" + folder.resolve("again.hf"),
            more,
            evenMore);
    JsonNode accuracy = test.json().findValue("accuracy");
    assertThat(accuracy.asDouble()).isGreaterThan(0.8);
    assertThat(Files.readAllBytes(folder.resolve("again.hf"))).isEqualTo(Files.readAllBytes(model));
    CliRun explain = run("explain", "" + data, "--model=" + model, "--json");
    assertThat(explain.exitCode()).as(explain.err()).isZero();
  }

  @Test
  void backtest_replacesByDefault_andAppendsIfAsked() {
    for (String policy : new String[] {null, "--policy=append", "--policy=decay"}) {
      CliRun backtest =
          run(
              "backtest",
              "--data=" + two,
              "--label=y",
              "--objective=exponential",
              "--booster=adaboost",
              "--window=100",
              "--json",
              policy);
      assertThat(backtest.exitCode()).as(backtest.err()).isZero();
      assertThat(backtest.json().findValue("loss").asDouble()).as(policy).isLessThan(0.9);
    }
  }

  @Test
  void whatItCannotDo_isSaidInASentence() {
    fit("--objective=squared").saysOneSentence(2, "exponential for two classes or softmax");
    fit("--objective=exponential", "--gamma=3").saysOneSentence(2, "--gamma has no meaning where");
    fit("--objective=exponential", "--base=linear").saysOneSentence(2, "--base has no meaning");
    fit("--objective=exponential", "--max-depth=20").saysOneSentence(2, "--max-depth must be");
    run(
            "backtest",
            "--data=" + two,
            "--label=y",
            "--objective=exponential",
            "--booster=adaboost",
            "--policy=refit")
        .saysOneSentence(2, "--policy must be append, decay or replace");
    run(
            "fit",
            "--data=" + two,
            "--label=y",
            "--objective=exponential",
            "--resample",
            "--out=" + folder.resolve("m.hf"))
        .saysOneSentence(2, "has no meaning unless --booster is adaboost");
  }

  private CliRun fit(String... more) {
    String[] all = new String[more.length + 5];
    all[0] = "fit";
    all[1] = "--data=" + two;
    all[2] = "--label=y";
    all[3] = "--booster=adaboost";
    all[4] = "--out=" + folder.resolve("m.hf");
    System.arraycopy(more, 0, all, 5, more.length);
    return CliRun.of(all);
  }

  /** Without those that are null. */
  private static CliRun run(String... arguments) {
    return CliRun.of(Arrays.stream(arguments).filter(Objects::nonNull).toArray(String[]::new));
  }
}
