package io.holdfast.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.cli.learn.FileRows;
import io.holdfast.cli.print.Json;
import io.holdfast.cli.tune.Trials.Candidate;
import io.holdfast.cli.tune.Trials.Trial;
import io.holdfast.cli.validate.FoldSplit;
import io.holdfast.schemas.settings.ModelSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HalvingTest {
  private static final long ROWS = 9_000;
  private static final ModelSettings SETTINGS =
      ModelSettings.of(
          "m", Map.of("objective", "squared", "label", "y", "trees.rounds", "5"), key -> key);

  @TempDir Path folder;

  /** Losses by number and rows; each trial takes a minute for all rows. */
  private static final class Played implements Trials {
    private final List<Trial> made = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private int mostTrials = Integer.MAX_VALUE;

    private static double loss(int candidate, long rows) {
      double quality = new SplittableRandom(candidate).nextDouble();
      double noise = new SplittableRandom(candidate * 31L + rows).nextDouble();
      return candidate == 0 ? 0.9 : quality + 0.1 * noise * ROWS / rows;
    }

    private static Trial trial(int candidate, long rows) {
      double loss = loss(candidate, rows);
      return new Trial(candidate, rows, loss, List.of(loss, loss / 3));
    }

    @Override
    public List<Trial> run(List<Candidate> candidates, long rows) {
      if (made.size() + candidates.size() > mostTrials) {
        throw new IllegalStateException("the power went");
      }
      now = now.plus(Duration.ofMinutes(1).multipliedBy(candidates.size() * rows).dividedBy(ROWS));
      List<Trial> numbered = candidates.stream().map(one -> trial(one.number(), rows)).toList();
      made.addAll(numbered);
      return numbered;
    }
  }

  private static Halving.Found search(Played trials, TuningState state, Halving.Budget budget) {
    return new Halving(
            trials,
            number -> new Candidate(number, Map.of(), SETTINGS),
            state,
            budget,
            () -> trials.now,
            progress -> {})
        .run(ROWS);
  }

  private static Halving.Budget count(int candidates) {
    return new Halving.Budget(candidates, null);
  }

  private static ObjectNode what() {
    ObjectNode what = Json.tree(Map.of());
    return what.put("cv", "time:5");
  }

  @Test
  void bracket_halvesByThrees_andTheBestOfAllRowsWins() {
    Played trials = new Played();
    Halving.Found found = search(trials, TuningState.inMemory(), count(20));
    assertThat(trials.made.stream().filter(one -> one.rows() == 1_000)).hasSize(20);
    assertThat(trials.made.stream().filter(one -> one.rows() == 3_000)).hasSize(7);
    assertThat(trials.made.stream().filter(one -> one.rows() == ROWS)).hasSize(4);
    assertThat(found.given().candidate()).isZero();
    assertThat(found.finals()).hasSize(4).contains(found.given());
    for (Trial one : found.finals()) {
      assertThat(found.best().loss()).isLessThanOrEqualTo(one.loss());
    }
    List<Trial> first = trials.made.stream().filter(one -> one.rows() == 1_000).toList();
    List<Trial> second = trials.made.stream().filter(one -> one.rows() == 3_000).toList();
    double worstKept =
        second.subList(0, 3).stream()
            .mapToDouble(one -> Played.loss(one.candidate(), 1_000))
            .max()
            .orElseThrow();
    assertThat(first.subList(0, 9).stream().filter(one -> one.loss() <= worstKept)).hasSize(3);
  }

  @Test
  void time_endsIt_byTheClockThatItIsGiven() {
    for (int minutes : new int[] {1, 3, 7, 20}) {
      Played trials = new Played();
      Halving.Budget budget = new Halving.Budget(1_000, Duration.ofMinutes(minutes));
      Halving.Found found = search(trials, TuningState.inMemory(), budget);
      Duration spent = Duration.between(Instant.EPOCH, trials.now);
      assertThat(spent).isBetween(Duration.ofMinutes(minutes), Duration.ofMinutes(minutes + 1));
      assertThat(found.finals()).isNotEmpty();
    }
  }

  @Test
  void interruptedAnywhere_andGoneOnWith_isTheSameSearch() {
    Halving.Found whole = search(new Played(), TuningState.inMemory(), count(25));
    for (int most = 1; most < 38; most += 3) {
      Path file = folder.resolve("state" + most);
      Played first = new Played();
      first.mostTrials = most;
      try {
        search(first, TuningState.of(file, what()), count(25));
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("the power went");
      }
      Played second = new Played();
      Halving.Found resumed = search(second, TuningState.of(file, what()), count(25));
      assertThat(resumed).isEqualTo(whole);
      assertThat(second.made).doesNotContainAnyElementsOf(first.made);
    }
  }

  @Test
  void state_ofAnotherSearch_isRefused() {
    Path file = folder.resolve("state");
    search(new Played(), TuningState.of(file, what()), count(2));
    assertThatThrownBy(() -> TuningState.of(file, what().put("cv", "environment")))
        .hasMessageContaining("its cv is \"time:5\", and now it is \"environment\"");
  }

  @Test
  void lossThatIsNone_isLast_alsoFromTheFile() {
    Path file = folder.resolve("state");
    Trial none = new Trial(3, 10, Double.NaN, List.of(Double.NaN, 1.0));
    TuningState.of(file, what()).add(List.of(none));
    assertThat(TuningState.of(file, what()).get(3, 10)).isEqualTo(none);
    assertThat(none.loss()).isInfinite();
  }

  @Test
  void folds_areTheSameWhateverTheThreads() {
    var random = new SplittableRandom(5);
    Rows.Builder rows = Rows.builder(2);
    for (int row = 0; row < 900; row++) {
      double[] x = {random.nextDouble(), random.nextDouble()};
      rows.add(x, x[0] + random.nextGaussian(), "e" + row % 3);
    }
    FileRows file = FileRows.of(rows.build(), List.of());
    List<Feature> features = List.of(new Feature.Numeric("a"), new Feature.Numeric("b"));
    List<Candidate> candidates =
        IntStream.range(0, 5).mapToObj(k -> new Candidate(k, Map.of(), SETTINGS)).toList();
    List<Trial> one =
        new FoldTrials(features, file, FoldSplit.parse("time:3"), false, 7, 1).run(candidates, 500);
    assertThat(
            new FoldTrials(features, file, FoldSplit.parse("time:3"), false, 7, 4)
                .run(candidates, 500))
        .isEqualTo(one);
    assertThat(one.getFirst().folds()).hasSize(3);
  }
}
