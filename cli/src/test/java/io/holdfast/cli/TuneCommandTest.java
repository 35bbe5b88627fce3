package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.schemas.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneCommandTest {
  @TempDir Path folder;
  private Path data = Path.of("");

  @BeforeEach
  void write() throws IOException {
    data = TestFiles.write(folder.resolve("data.csv"), 1_600, 1);
  }

  private CliRun tune(String... flags) {
    return tune(List.of("--label=y", "--objective=squared", "--exclude=id,yb"), flags);
  }

  private CliRun tune(List<String> model, String... flags) {
    List<String> all = new ArrayList<>(List.of("tune", "--data=" + data));
    all.addAll(model);
    all.addAll(List.of(flags));
    return CliRun.of(all.toArray(String[]::new));
  }

  @Test
  void count_findsTheSameAgain_andSoDoesASearchThatWasInterrupted() throws IOException {
    Path state = folder.resolve("state");
    String[] flags = {
      "--environment=env", "--rounds=8", "--cv=time:3", "--budget=11", "--json", "--resume=" + state
    };
    CliRun whole = tune(flags);
    JsonNode found = whole.json();
    assertThat(found.get("drawn").asInt()).isEqualTo(11);
    assertThat(found.at("/choices/0/loss").asDouble())
        .isLessThanOrEqualTo(found.get("given").asDouble());
    assertThat(whole.err()).contains("9 of them tried on 500 rows; least loss so far");

    List<String> lines = Files.readAllLines(state);
    assertThat(lines).hasSizeGreaterThan(12);
    for (int kept : new int[] {1, 2, 7, lines.size() - 1}) {
      String half = String.join("\n", lines.subList(0, kept)) + "\n" + lines.get(kept);
      Files.writeString(state, half.substring(0, half.length() - 3)); // the last line was cut off
      assertThat(tune(flags).json()).isEqualTo(found);
      assertThat(Files.readAllLines(state)).containsExactlyElementsOf(lines);
    }
  }

  @Test
  void state_ofAnotherSearch_isRefused_andStays() throws IOException {
    Path state = folder.resolve("state");
    tune("--rounds=2", "--cv=time:2", "--budget=1", "--json", "--resume=" + state).json();
    String before = Files.readString(state);
    tune("--rounds=2", "--cv=time:4", "--budget=1", "--resume=" + state)
        .saysOneSentence(1, state.toString(), "its cv is \"time:2\"", "\"time:4\"");
    tune("--rounds=2", "--cv=time:2", "--budget=1", "--resume=" + data)
        .saysOneSentence(1, data.toString(), "is not what holdfast tune --resume writes");
    assertThat(state).content().isEqualTo(before);
  }

  @Test
  void configuration_givesTheLossThatWasFound_byFolds() {
    Path config = folder.resolve("tuned.yml");
    for (String cv : List.of("time:3", "environment")) {
      JsonNode found =
          tune(
                  "--environment=env",
                  "--rounds=8",
                  "--cv=" + cv,
                  "--budget=4",
                  "--json",
                  "--write-config=" + config)
              .json();
      assertThat(Settings.read(config, Map.of()).models()).containsOnlyKeys("tuned");
      JsonNode folds =
          CliRun.of("fit", "--data=" + data, "--config=" + config, "--cv=" + cv, "--json")
              .json()
              .get("crossValidation");
      assertThat(folds.get("mean").asDouble()).isEqualTo(found.at("/choices/0/loss").asDouble());
      for (int fold = 0; fold < folds.get("folds").size(); fold++) {
        assertThat(folds.at("/folds/" + fold + "/loss").asDouble())
            .isEqualTo(found.at("/choices/0/folds/" + fold).asDouble());
      }
    }
  }

  @Test
  void worst_isThatOfTheEnvironmentThatLosesMost() {
    String[] flags = {"--environment=env", "--rounds=8", "--cv=time:3", "--budget=2", "--json"};
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--by=worst");
    double given = tune(all.toArray(String[]::new)).json().get("given").asDouble();
    JsonNode fitted =
        CliRun.of(
                "fit",
                "--data=" + data,
                "--label=y",
                "--objective=squared",
                "--exclude=id,yb",
                "--environment=env",
                "--rounds=8",
                "--cv=time:3",
                "--json")
            .json();
    assertThat(given).isEqualTo(fitted.at("/crossValidation/worst/loss").asDouble());
  }

  /** A fragment that is printed goes into a configuration as it stands. */
  @Test
  void table_hasIntervals_aVerdict_andAFragment() throws IOException {
    CliRun run = tune("--rounds=3", "--cv=time:4", "--budget=9", "--by=mean");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("more than as given", "as given", "Of 9 settings, by time:4: #")
        .contains("less by more than chance.");
    String fragment = run.out().substring(run.out().indexOf("holdfast:"));
    Path config = folder.resolve("holdfast.yml");
    Files.writeString(config, fragment.strip() + "\n      objective: squared\n      label: y\n");
    assertThat(Settings.read(config, Map.of()).models()).containsOnlyKeys("tuned");
  }

  /** Labels that no feature says anything about: nothing beats settings that hardly learn. */
  @Test
  void noise_isNotBeaten() throws IOException {
    var random = new SplittableRandom(1);
    StringBuilder csv = new StringBuilder("x,z,y\n");
    for (int row = 0; row < 600; row++) {
      csv.append(random.nextDouble()).append(',').append(random.nextDouble()).append(',');
      csv.append(random.nextGaussian()).append('\n');
    }
    data = Files.writeString(folder.resolve("noise.csv"), csv);
    List<String> model =
        List.of("--label=y", "--objective=squared", "--rounds=2", "--learning-rate=0.02");
    JsonNode found = tune(model, "--budget=9", "--json").json();
    assertThat(found.get("beyondNoise").asBoolean()).isFalse();
    CliRun run = tune(model, "--budget=9");
    assertThat(run.out()).containsPattern("none loses less|That is not beyond noise");
  }

  @Test
  void stream_isReplayedAsBacktestDoes() {
    Path config = folder.resolve("tuned.yml");
    String[] flags = {
      "--environment=env",
      "--cv=stream",
      "--delay=30",
      "--budget=6",
      "--json",
      "--write-config=" + config
    };
    JsonNode found = tune(flags).json();
    assertThat(found.at("/choices/0/folds")).hasSize(5);
    assertThat(tune(flags).json()).isEqualTo(found);
    // Service and trainer read their configuration with the same reader.
    JsonNode deployed =
        CliRun.of("backtest", "--data=" + data, "--config=" + config, "--delay=30", "--json")
            .json();
    assertThat(deployed.at("/secondHalf/metrics/loss").asDouble())
        .isEqualTo(found.at("/choices/0/loss").asDouble());
  }

  @Test
  void mistakes_areSaidInASentence() {
    tune("--budget=lots").saysOneSentence(2, "--budget must be a number of settings", "lots");
    tune("--budget=0").saysOneSentence(2, "--budget must be a number of settings", "0");
    tune("--by=most").saysOneSentence(2, "--by must be mean or worst: most");
    tune("--by=worst").saysOneSentence(2, "--by worst is about environments");
    tune("--delay=5").saysOneSentence(2, "--delay is of --cv stream alone");
    tune("--cv=weeks").saysOneSentence(2, "--cv must be time:N or environment");
    tune("--cv=stream", "--delay=2h").saysOneSentence(2, "--delay 2h is a time");
  }
}
