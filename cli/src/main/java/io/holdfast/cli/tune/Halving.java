package io.holdfast.cli.tune;

import io.holdfast.cli.tune.Trials.Candidate;
import io.holdfast.cli.tune.Trials.Trial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for settings by successive halving (Jamieson and Talwalkar, AISTATS 2016), bracket by
 * bracket: nine candidates on a ninth of the rows, the best three of them on a third, the best of
 * those on all, beside the given settings. Owned by one thread; one use.
 */
final class Halving {
  /*
   * Brackets follow each other until the budget is spent, so there is an answer at any time, and
   * nine candidates cost about as much as three on all rows. What is tried next depends on the
   * losses so far and on nothing else: a search that goes on from its state is the same search.
   * Time is looked at before each step of a bracket; what was begun is ended.
   */
  static final int BRACKET = 9;

  private static final int KEPT = 3;

  private final Trials trials;
  private final IntFunction<Candidate> draw;
  private final TuningState state;
  private final Budget budget;
  private final InstantSource clock;
  private final Consumer<Progress> listener;

  /** How much may be tried: so many candidates beside the given, or for so long. */
  record Budget(int candidates, @Nullable Duration time) {}

  /**
   * How far it is: candidates drawn, what was tried last, and the least loss on all rows so far.
   */
  record Progress(int drawn, int tried, long rows, Trial best, Trial given, Duration spent) {}

  /** Trials on all rows, the best first, and how many candidates were drawn. */
  record Found(List<Trial> finals, Trial given, int drawn) {
    Trial best() {
      return finals.getFirst();
    }
  }

  /** The candidate that {@code draw} gives for 0 is the given one. */
  Halving(
      Trials trials,
      IntFunction<Candidate> draw,
      TuningState state,
      Budget budget,
      InstantSource clock,
      Consumer<Progress> listener) {
    this.trials = trials;
    this.draw = draw;
    this.state = state;
    this.budget = budget;
    this.clock = clock;
    this.listener = listener;
  }

  /** On so many rows. */
  Found run(long rows) {
    Instant begin = clock.instant();
    List<Long> steps = Trials.steps(rows);
    List<Trial> finals = new ArrayList<>(tried(List.of(0), rows));
    Trial given = finals.getFirst();
    int drawn = 0;
    while (drawn < budget.candidates() && inTime(begin)) {
      int most = Math.min(budget.candidates(), drawn + BRACKET);
      List<Integer> left = IntStream.rangeClosed(drawn + 1, most).boxed().toList();
      drawn = most;
      for (long step : steps) {
        if (!inTime(begin)) {
          break;
        }
        List<Trial> results = new ArrayList<>(tried(left, step));
        results.sort(Comparator.comparingDouble(Trial::loss)); // stable: of equals the earlier
        if (step == rows) {
          finals.addAll(results);
          finals.sort(Comparator.comparingDouble(Trial::loss).thenComparingInt(Trial::candidate));
        }
        Duration spent = Duration.between(begin, clock.instant());
        listener.accept(new Progress(drawn, left.size(), step, finals.getFirst(), given, spent));
        left =
            results.stream()
                .limit((results.size() + KEPT - 1) / KEPT)
                .map(Trial::candidate)
                .sorted()
                .toList();
      }
    }
    return new Found(List.copyOf(finals), given, drawn);
  }

  private boolean inTime(Instant begin) {
    return budget.time() == null || clock.instant().isBefore(begin.plus(budget.time()));
  }

  /** The candidates' trials; those that are known are not made again. */
  private List<Trial> tried(List<Integer> numbers, long rows) {
    List<Candidate> open =
        numbers.stream()
            .filter(number -> state.find(number, rows) == null)
            .map(draw::apply)
            .toList();
    if (!open.isEmpty()) {
      state.add(trials.run(open, rows));
    }
    return numbers.stream().map(number -> state.get(number, rows)).toList();
  }
}
