package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fit --cv}: each fold is what a fit of its rows says of its others. */
class CrossValidationTest {
  private static final int ROWS = 300;

  @TempDir Path folder;
  private String header = "";
  private List<String> rows = List.of();
  private Path all = Path.of("");

  @BeforeEach
  void write() throws IOException {
    all = TestFiles.write(folder.resolve("all.csv"), ROWS, 1);
    List<String> lines = Files.readAllLines(all);
    header = lines.getFirst();
    rows = lines.subList(1, lines.size());
  }

  private Path file(String name, List<String> of) throws IOException {
    return Files.write(
        folder.resolve(name), Stream.concat(Stream.of(header), of.stream()).toList());
  }

  private static CliRun fit(Path data, String... flags) {
    List<String> all =
        new ArrayList<>(
            List.of("fit", "--data=" + data, "--label=y", "--objective=squared", "--rounds=5"));
    all.addAll(Arrays.asList(flags));
    if (all.stream().noneMatch(flag -> flag.startsWith("--exclude"))) {
      all.add("--exclude=id,yb");
    }
    return CliRun.of(all.toArray(String[]::new));
  }

  /** The loss on rows of a fit of others, by files. */
  private double byHand(List<String> train, List<String> test, String... flags) throws IOException {
    List<String> all = new ArrayList<>(Arrays.asList(flags));
    all.addAll(List.of("--json", "--test=" + file("test.csv", test)));
    JsonNode fitted = fit(file("train.csv", train), all.toArray(String[]::new)).json();
    return fitted.at("/test/0/loss").asDouble();
  }

  @Test
  void byTime_eachFoldIsAFitOfWhatWasBefore() throws IOException {
    JsonNode folds = fit(all, "--cv=time:5", "--json").json().get("crossValidation");
    assertThat(folds.get("cv").asText()).isEqualTo("time:5");
    assertThat(folds.get("folds")).hasSize(5);
    double sum = 0;
    for (int fold = 0; fold < 5; fold++) {
      int from = ROWS / 6 * (fold + 1);
      JsonNode one = folds.at("/folds/" + fold);
      assertThat(one.get("trainedOn").asInt()).isEqualTo(from);
      assertThat(one.get("rows").asInt()).isEqualTo(ROWS / 6);
      double byHand = byHand(rows.subList(0, from), rows.subList(from, from + ROWS / 6));
      assertThat(one.get("loss").asDouble()).isEqualTo(byHand);
      sum += byHand;
    }
    assertThat(folds.get("mean").asDouble()).isCloseTo(sum / 5, within(1e-12));
    assertThat(folds.get("spread").asDouble()).isPositive();
    assertThat(folds.has("worst")).isFalse();
  }

  @Test
  void byEnvironment_eachFoldIsAFitOfTheOthers() throws IOException {
    String[] flags = {"--environment=env", "--gamma=4"};
    JsonNode folds =
        fit(all, "--environment=env", "--gamma=4", "--cv=environment", "--json")
            .json()
            .get("crossValidation");
    assertThat(folds.get("folds")).hasSize(2);
    double worst = 0;
    for (int fold = 0; fold < 2; fold++) {
      String name = "e" + fold;
      List<String> test = rows.stream().filter(row -> row.contains("," + name + ",")).toList();
      List<String> train = rows.stream().filter(row -> !test.contains(row)).toList();
      JsonNode one = folds.at("/folds/" + fold);
      assertThat(one.get("fold").asText()).isEqualTo(name);
      double byHand = byHand(train, test, flags);
      assertThat(one.get("loss").asDouble()).isEqualTo(byHand);
      assertThat(folds.at("/environments/" + fold + "/loss").asDouble())
          .isCloseTo(byHand, within(1e-12));
      worst = Math.max(worst, byHand);
    }
    assertThat(folds.at("/worst/loss").asDouble()).isCloseTo(worst, within(1e-12));
  }

  @Test
  void categoryThatComesLater_isMissing_asItWouldBe() throws IOException {
    for (int row = 100; row < ROWS; row += 7) {
      List<String> changed = new ArrayList<>(rows);
      changed.set(row, rows.get(row).replaceFirst(",[ab],", ",late" + row % 3 + ","));
      rows = changed;
    }
    JsonNode folds = fit(file("late.csv", rows), "--cv=time:2", "--json").json();
    for (int fold = 0; fold < 2; fold++) {
      int from = ROWS / 3 * (fold + 1);
      double byHand = byHand(rows.subList(0, from), rows.subList(from, from + ROWS / 3));
      assertThat(folds.at("/crossValidation/folds/" + fold + "/loss").asDouble()).isEqualTo(byHand);
    }
  }

  @Test
  void byTime_theColumnOfTheTimeIsTheOrder() throws IOException {
    List<String> timed =
        IntStream.range(0, ROWS).mapToObj(row -> rows.get(row) + "," + row).toList();
    List<String> shuffled = new ArrayList<>(timed);
    Collections.shuffle(shuffled, new Random(1));
    header += ",t";
    String[] flags = {"--cv=time:4", "--time=t", "--exclude=id,yb,kind", "--json"};
    JsonNode sorted = fit(file("sorted.csv", timed), flags).json().at("/crossValidation/folds");
    JsonNode other = fit(file("other.csv", shuffled), flags).json().at("/crossValidation/folds");
    assertThat(sorted).hasSize(4);
    assertThat(other).isEqualTo(sorted);
  }

  @Test
  void table_saysMeanSpreadAndWorst() {
    CliRun run = fit(all, "--environment=env", "--cv=time:3");
    JsonNode folds =
        fit(all, "--environment=env", "--cv=time:3", "--json").json().get("crossValidation");
    assertThat(run.out())
        .contains("Validated by time:3", "trained on")
        .containsPattern("Mean loss 0\\.\\d+, standard deviation of folds 0\\.\\d+; most in")
        .contains("most in environment " + folds.at("/worst/environment").asText());
  }

  @Test
  void mistakes_areSaidInASentence() throws IOException {
    fit(all, "--cv=weeks").saysOneSentence(2, "--cv must be time:N or environment", "weeks");
    fit(all, "--cv=time:1").saysOneSentence(2, "--cv must be time:N or environment", "time:1");
    fit(all, "--cv=environment").saysOneSentence(2, "--cv environment", "--environment");
    fit(all, "--environment=env", "--cv=environment", "--hold-out=e1")
        .saysOneSentence(2, "--cv and --validation or --hold-out", "leave one out");
    Path one = file("one.csv", rows.stream().filter(row -> row.contains(",e0,")).toList());
    fit(one, "--environment=env", "--cv=environment")
        .saysOneSentence(1, "one.csv", "no part by environment has rows to learn from");
  }
}
