package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Times as people have them: in other units, in other orders, and as features. */
class TimeColumnTest {
  private static final int ROWS = 3_000;
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z"); // a Monday

  @TempDir Path folder;

  /** How a time is written. */
  enum Written {
    DATE(millis -> Instant.ofEpochMilli(millis).toString()),
    SECONDS(millis -> String.valueOf(millis / 1000)),
    FRACTIONS(millis -> millis / 1000 + ".25"),
    MILLIS(String::valueOf),
    MICROS(millis -> millis + "000"),
    NANOS(millis -> millis + "000000");

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final LongFunction<String> text;

    Written(LongFunction<String> text) {
      this.text = text;
    }
  }

  @ParameterizedTest
  @EnumSource(Written.class)
  void delayByTime_isTheSame_howeverTheTimeIsWritten(Written written) throws IOException {
    Path file = write(lines(written));
    JsonNode run = backtest(file, "--delay=50h").json();
    assertThat(run.at("/windows/2/servedVersions").toString()).isNotEqualTo("[0]");
    assertThat(run.get("total"))
        .isEqualTo(backtest(write(lines(Written.DATE)), "--delay=50h").json().get("total"));
  }

  @ParameterizedTest
  @CsvSource({
    "17, line 2: column at has 17, 'which is no time of today in seconds, millis, micros or nanos'",
    "1700000000000, line 3: column at has, 'a time in seconds, and has times in millis above'",
  })
  void unitThatCannotBeTold_isAskedFor(String first, String place, String said) throws IOException {
    List<String> lines = lines(Written.SECONDS);
    lines.set(1, lines.get(1).replaceFirst("[0-9]+", first));
    backtest(write(lines), "--delay=50h").saysOneSentence(1, place, said, "--time-unit");
    assertThat(backtest(write(lines), "--delay=50h", "--time-unit=seconds").exitCode()).isZero();
    backtest(write(lines), "--time-unit=hours")
        .saysOneSentence(2, "--time-unit must be seconds, millis, micros or nanos: hours");
  }

  /** Whatever the delay: a backtest learns from what comes first. */
  @Test
  void rowsInAnotherOrderThanThatOfTime_areRefused_unlessThatIsWanted() throws IOException {
    List<String> reversed = lines(Written.DATE);
    Collections.reverse(reversed.subList(1, reversed.size()));
    backtest(write(reversed)).saysOneSentence(1, "are newest first by column at", "--unsorted");
    List<String> shuffled = lines(Written.SECONDS);
    Collections.shuffle(shuffled.subList(1, shuffled.size()), new Random(5));
    backtest(write(shuffled), "--delay=50h")
        .saysOneSentence(1, "are in no order by column at", "the first is ", "--unsorted");
    assertThat(backtest(write(shuffled), "--unsorted").exitCode()).isZero();
  }

  @Test
  void someLateRows_areSaid() throws IOException {
    List<String> lines = lines(Written.SECONDS);
    Collections.swap(lines, 10, 11);
    CliRun run = backtest(write(lines));
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("1 rows are before the row above them by --time", "line 12");
  }

  /** The label depends on the hour and the weekday; the rows that are scored come later. */
  @ParameterizedTest
  @CsvSource({"csv", "late"})
  void partsOfDates_areLearnedAndScoredAlike(String which) throws IOException {
    List<String> all = lines(Written.DATE);
    Path train = write(all.subList(0, 2_001));
    List<String> later = new ArrayList<>(all.subList(2_001, all.size()));
    later.addFirst(all.getFirst());
    Path test = Files.write(folder.resolve(which + ".csv"), later);
    Path model = folder.resolve("m.model");
    CliRun fit = run("fit", train, "--dates=at", "--test=" + test, "--out=" + model, "--rounds=60");
    JsonNode parts = fit.json();
    assertThat(parts.at("/test/0/loss").asDouble()).isLessThan(1);
    assertThat(parts.get("notes").toString()).doesNotContain("at");
    JsonNode plain = run("fit", train, "--test=" + test, "--rounds=60").json();
    assertThat(plain.at("/test/0/loss").asDouble()).isGreaterThan(4);
    assertThat(plain.get("notes").toString()).contains("column at has dates", "--dates at");
    CliRun score = CliRun.of("score", test.toString(), "--model=" + model, "--label=y", "--json");
    assertThat(score.exitCode()).as(score.err()).isZero();
    JsonNode refit =
        CliRun.of(
                "refit",
                "--model=" + model,
                "--data=" + train,
                "--test=" + test,
                "--json",
                "--out=" + folder.resolve("r.model"))
            .json();
    assertThat(refit.at("/test/0/loss").asDouble()).isLessThan(1);
  }

  @Test
  void datesThatAreNone_areRefusedByTheFile() throws IOException {
    run("fit", write(lines(Written.DATE)), "--dates=x")
        .saysOneSentence(2, "the field x is long in the file, which has no hour, weekday or month");
  }

  private CliRun run(String command, Path data, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(command, "--data=" + data, "--label=y", "--objective=squared", "--json"));
    all.addAll(List.of(more));
    return CliRun.of(all.toArray(String[]::new));
  }

  private CliRun backtest(Path data, String... more) {
    List<String> all =
        new ArrayList<>(List.of("--time=at", "--window=500", "--rounds=5", "--min-rows=20"));
    all.addAll(List.of(more));
    return run("backtest", data, all.toArray(String[]::new));
  }

  private Path write(List<String> lines) throws IOException {
    return Files.write(folder.resolve("rows.csv"), lines);
  }

  /** An hour between rows. */
  private static List<String> lines(Written written) {
    var random = new SplittableRandom(7);
    List<String> lines = new ArrayList<>(List.of("at,x,y"));
    for (int row = 0; row < ROWS; row++) {
      int hour = row % 24;
      int day = row / 24 % 7;
      double y = (hour < 12 ? 5 : 0) + (day >= 5 ? 4 : 0) + random.nextDouble();
      long millis = START.toEpochMilli() + 3_600_000L * row;
      lines.add(written.text.apply(millis) + "," + random.nextInt(9) + "," + y);
    }
    return lines;
  }
}
