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
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast fit --coverage} and {@code score}: what rows that were not fitted to show. */
class FitCoverageTest {
  private static final int ROWS = 2_500;

  @TempDir Path folder;
  private final List<String[]> held = new ArrayList<>();

  /** Noise grows with x, and is four times as large in the south. */
  @BeforeEach
  void write() throws IOException {
    var random = new SplittableRandom(17);
    for (String name : List.of("train", "held")) {
      StringBuilder text = new StringBuilder("x,z,env,y,win\n");
      for (int row = 0; row < ROWS; row++) {
        double x = random.nextDouble();
        double z = random.nextDouble();
        String env = row % 4 == 0 ? "south" : "north";
        double noise = (env.equals("south") ? 4 : 1) * (0.2 + x);
        double y = 5 * x + noise * random.nextDouble(-1, 1);
        int win = random.nextDouble() < (x < 0.5 ? 0.3 : 0.7) ? 1 : 0;
        text.append(x).append(',').append(z).append(',').append(env).append(',');
        text.append(y).append(',').append(win).append('\n');
        if (name.equals("held")) {
          held.add(new String[] {env, Double.toString(y), Integer.toString(win)});
        }
      }
      Files.writeString(folder.resolve(name + ".csv"), text);
    }
  }

  private List<JsonNode> scores(String... flags) throws IOException {
    Path model = folder.resolve("model.hf");
    List<String> fit = new ArrayList<>(List.of("fit", "--data=" + folder.resolve("train.csv")));
    fit.addAll(List.of("--environment=env", "--out=" + model));
    fit.addAll(List.of(flags));
    CliRun fitted = CliRun.of(fit.toArray(String[]::new));
    assertThat(fitted.exitCode()).as(fitted.err()).isZero();
    CliRun scored =
        CliRun.of("score", folder.resolve("held.csv") + "", "--model=" + model, "--json");
    assertThat(scored.exitCode()).as(scored.err()).isZero();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : scored.out().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertThat(lines).hasSize(ROWS);
    return lines;
  }

  @Test
  void bounds_holdLabelsOfOtherRows_asOftenAsPromised_inEachEnvironment() throws IOException {
    List<JsonNode> scores =
        scores("--label=y", "--exclude=win", "--objective=squared", "--coverage=0.8,0.95");
    Map<String, double[]> of = new TreeMap<>(); // rows, kept at both levels, width at both
    for (int row = 0; row < ROWS; row++) {
      JsonNode bounds = scores.get(row).get("bounds");
      double label = Double.parseDouble(held.get(row)[1]);
      double[] sums = of.computeIfAbsent(held.get(row)[0], name -> new double[5]);
      sums[0]++;
      for (int level = 0; level < 2; level++) {
        double lower = bounds.get(level).get("lower").asDouble();
        double upper = bounds.get(level).get("upper").asDouble();
        sums[1 + level] += label >= lower && label <= upper ? 1 : 0;
        sums[3 + level] += upper - lower;
      }
    }
    assertThat(of.keySet()).containsExactly("north", "south");
    of.forEach(
        (name, sums) -> {
          assertThat(sums[1] / sums[0]).as(name).isCloseTo(0.8, within(0.05));
          assertThat(sums[2] / sums[0]).as(name).isCloseTo(0.95, within(0.025));
        });
    double[] north = Objects.requireNonNull(of.get("north"));
    double[] south = Objects.requireNonNull(of.get("south"));
    assertThat(south[3] / south[0]).isGreaterThan(2.5 * north[3] / north[0]);
  }

  @Test
  void sets_holdClassesOfOtherRows_asOftenAsPromised() throws IOException {
    List<JsonNode> scores =
        scores("--label=win", "--exclude=y", "--objective=logistic", "--coverage=0.8");
    double kept = 0;
    double size = 0;
    for (int row = 0; row < ROWS; row++) {
      JsonNode set = scores.get(row).at("/bounds/0/classes");
      kept += set.toString().contains("\"" + held.get(row)[2] + "\"") ? 1.0 / ROWS : 0;
      size += (double) set.size() / ROWS;
    }
    assertThat(kept).isBetween(0.78, 0.9);
    assertThat(size).isBetween(1.0, 1.9); // a promise of all classes would be none
  }

  @Test
  void tooSureProbabilities_areCorrected_forOtherRows() throws IOException {
    String[] flags = {
      "--label=win",
      "--exclude=y",
      "--objective=logistic",
      "--rounds=60",
      "--min-rows=2",
      "--learning-rate=0.3",
      "--calibration=beta"
    };
    double corrected = logLoss(scores(flags));
    double correctedOff = off();
    flags[flags.length - 1] = "--calibration=none";
    double plain = logLoss(scores(flags));
    assertThat(plain).isGreaterThan(0.69); // worse than a coin; the truth's is 0.61
    assertThat(corrected).isLessThan(plain - 0.03);
    assertThat(correctedOff).as("what show draws").isLessThan(off() / 2);
  }

  /** How far what came is from what was predicted, in the mean over groups, as show says. */
  private double off() {
    CliRun shown =
        CliRun.of(
            "show",
            folder.resolve("model.hf") + "",
            "--data=" + folder.resolve("held.csv"),
            "--json");
    assertThat(shown.exitCode()).as(shown.err()).isZero();
    double off = 0;
    for (JsonNode group : shown.json().at("/data/calibration")) {
      off +=
          group.get("rows").asDouble()
              / ROWS
              * Math.abs(group.get("predicted").asDouble() - group.get("observed").asDouble());
    }
    assertThat(off).isPositive();
    return off;
  }

  private double logLoss(List<JsonNode> scores) {
    double loss = 0;
    for (int row = 0; row < ROWS; row++) {
      double one = scores.get(row).get("prediction").asDouble();
      double said = held.get(row)[2].equals("1") ? one : 1 - one;
      loss -= Math.log(Math.max(1e-15, said)) / ROWS;
    }
    return loss;
  }
}
