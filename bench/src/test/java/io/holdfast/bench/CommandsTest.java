package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on made-up rows in a folder of their own, and without any. */
class CommandsTest {
  @TempDir Path folder;

  private record Result(int exitCode, String out, String err) {}

  private static Result run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exitCode =
        Bench.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Result(exitCode, out.toString(), err.toString());
  }

  private void writeFires() throws IOException {
    var random = new SplittableRandom(3);
    var text = new StringBuilder("env,month,weekday,temp,wind,label\n");
    List<String> environments = List.of("jul", "aug", "sep", "oct");
    for (int row = 0; row < 240; row++) {
      double temperature = 30 * random.nextDouble();
      int month = row % 4;
      text.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%s,%.3f,%.3f,%.3f%n",
              environments.get(month),
              7 + month,
              random.nextBoolean() ? "sun" : "mon",
              temperature,
              random.nextDouble(),
              temperature * 0.3 + month + random.nextDouble()));
    }
    write("forest_fires.csv.gz", text);
  }

  private void write(String file, CharSequence text) throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(file)))) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parity", "robustness"})
  void command_withoutTheDataFolder_saysSoInOneSentence(String command) {
    Path absent = folder.resolve("absent");
    Result result = run(command, "--data", absent.toString());

    assertThat(result.exitCode).isEqualTo(1);
    assertThat(result.out).isEmpty();
    assertThat(result.err)
        .isEqualToNormalizingNewlines(
            "holdfast-bench: there is no folder "
                + absent
                + " with the data sets: name it with --data, or the one above it with"
                + " -Dholdfast.shared\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parity", "robustness"})
  void command_withATaskThatIsNone_namesThoseThereAre(String command) {
    Result result = run(command, "--data", folder.toString(), "--tasks", "moon-squared");

    assertThat(result.exitCode).isEqualTo(1);
    assertThat(result.err)
        .startsWith("holdfast-bench: a task must be one of bikes-squared, ")
        .contains(": moon-squared");
  }

  @Test
  void gammas_areTablesOfFixedAndChosenOnes_inEveryWorld() {
    Result result = run("gammas", "--repetitions=1", "--environments=4", "--rows=20", "--rounds=2");

    assertThat(result.err).isEmpty();
    assertThat(result.exitCode).isZero();
    assertThat(result.out.lines().filter(line -> line.startsWith("### "))).hasSize(8);
    assertThat(result.out)
        .contains("### trees, non-linear world, with an anchor effect")
        .contains("| gamma | worst at 1.0 | mean at 1.0 | worst at 2.0 | mean at 2.0 |")
        .contains("\n| fit, worst | ")
        .contains("\n| stream, mean | ");
  }

  @Test
  void parity_isATableOfBothLosses() throws IOException {
    writeFires();
    Result result =
        run("parity", "--data", folder.toString(), "--tasks", "fires-squared", "--quick");

    assertThat(result.err).isEmpty();
    assertThat(result.exitCode).isZero();
    assertThat(result.out)
        .startsWith("| task | split |")
        .contains("| fires-squared | by environment | 180 | 60 |");
  }

  @Test
  void robustness_isATableByGamma_andTheSameAgain() throws IOException {
    writeFires();
    String[] arguments = {
      "robustness",
      "--data",
      folder.toString(),
      "--tasks",
      "fires-squared",
      "--quick",
      "--environments"
    };
    Result result = run(arguments);

    assertThat(result.err).isEmpty();
    assertThat(result.exitCode).isZero();
    assertThat(result.out)
        .contains("### fires-squared")
        .contains("240 rows, 4 environments, 4 of them held out in turn")
        .contains("\n| constant | 0 | ")
        .contains(
            "\n| 0 | ", "\n| 1 | ", "\n| 2 | ", "\n| 4 | ", "\n| 7 | ", "\n| 16 | ", "\n| 64 | ")
        .contains("\n| auto, by mean: ", "\n| auto, by worst: ")
        .contains("\n| jul | ", "\n| oct | ");
    assertThat(run(arguments).out).isEqualTo(result.out);
  }

  /**
   * All ways on the same rows, chosen by the same rule: the strength that was chosen is one of the
   * way's own, and has the risk that it has by itself.
   */
  @Test
  void robust_isATableOfAllWays_eachChosenByTheSameRule() {
    String[] arguments = {
      "robust", "--tasks", "structural-squared", "--rows", "240", "--rounds", "4", "--seeds", "1"
    };
    Result result = run(arguments);

    assertThat(result.err).isEmpty();
    assertThat(result.exitCode).isZero();
    List<String> lines = result.out.lines().filter(line -> line.startsWith("| ")).toList();
    assertThat(lines.getFirst()).contains("| 0 |").contains("| 4.000 |");
    assertThat(lines).anyMatch(line -> line.startsWith("| **gamma 1** |"));
    for (String way :
        List.of(
            "gamma, trees anew",
            "gamma ladder on trees of gamma 1",
            "gamma ladder on trees of gamma 4",
            "Group-DRO weights",
            "worst-environment leaves")) {
      String chosen = line(lines, "| **" + way + "**, chosen: 1 × ");
      String strength = chosen.substring(chosen.indexOf('×') + 2, chosen.indexOf(" |"));
      String alone = line(lines, "| " + way + ": " + strength + " |");
      assertThat(figures(chosen)).as(way).isEqualTo(figures(alone));
    }
    String plain = line(lines, "| **gamma 1** |");
    assertThat(figures(line(lines, "| gamma, trees anew: 1 |")))
        .as("the same trees, the same budget")
        .isEqualTo(figures(plain));
    assertThat(figures(line(lines, "| Group-DRO weights: plain |"))).isEqualTo(figures(plain));
    assertThat(run(arguments).out).isEqualTo(result.out);
  }

  private static String line(List<String> lines, String start) {
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line " + start + " in " + lines));
  }

  /** The cells behind the first. */
  private static String figures(String line) {
    return line.substring(line.indexOf(" | ", 2));
  }
}
