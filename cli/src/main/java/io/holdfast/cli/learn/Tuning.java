package io.holdfast.cli.learn;

import io.holdfast.boosting.evaluate.EnvironmentSpread;
import io.holdfast.cli.learn.BacktestRun.Candidate;
import io.holdfast.cli.learn.BacktestRun.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Looks for settings by successive halving (Jamieson and Talwalkar, AISTATS 2016): many candidates
 * on the first ninth of the stream, the best third of them on the first third, and the best third
 * of those on all of it. The given settings stay to the end. The first half of a round's rows is a
 * warm-up that does not count. Deterministic. Owned by one thread; one use each.
 */
public final class Tuning {
  /*
   * A prefix of the stream, not a sample: order is what a stream is about. All rounds cost about
   * the same, so m candidates cost about as much as m/9 + m/9 + m/9 runs on the whole stream.
   */
  private static final int KEPT = 3;
  private static final int ROUNDS = 3;
  private static final long LEAST_ROWS = 500;

  private final long rows;
  private final boolean byWorst;
  private final Runs runs;
  private final List<Round> rounds = new ArrayList<>();

  /** Runs candidates on the first rows of the stream. */
  public interface Runs {
    List<Result> run(List<Candidate> candidates, long rows);
  }

  /** A round on so many rows; the results are sorted, the best first. */
  public record Round(long rows, List<Result> results) {}

  /** A search on a stream of {@code rows}, by the worst environment or the mean of all rows. */
  public Tuning(long rows, boolean byWorst, Runs runs) {
    this.rows = rows;
    this.byWorst = byWorst;
    this.runs = runs;
  }

  /**
   * How many candidates take about {@code nanos}, by the time of the given settings in round one.
   */
  public int candidatesFor(Candidate given, long nanos, ToLongFunction<Runnable> nanosOf) {
    long one = Math.max(1, nanosOf.applyAsLong(() -> runs.run(List.of(given), rowsOf(0))));
    return Math.clamp(nanos / one / ROUNDS, 2, 1_000);
  }

  /** The rounds, the last of them on the whole stream: its first result is the best. */
  public List<Round> run(Candidate given, List<Candidate> others) {
    List<Candidate> left = new ArrayList<>(List.of(given));
    left.addAll(others);
    for (int round = 0; round < ROUNDS; round++) {
      List<Result> results = new ArrayList<>(runs.run(left, rowsOf(round)));
      results.sort(Comparator.comparingDouble(this::loss)); // stable: of equals the earlier
      rounds.add(new Round(rowsOf(round), List.copyOf(results)));
      int keep = (results.size() + KEPT - 1) / KEPT;
      left = new ArrayList<>();
      for (Result result : results) {
        if (left.size() < keep || result.candidate().equals(given)) {
          left.add(result.candidate());
        }
      }
    }
    return List.copyOf(rounds);
  }

  /** The loss that decides; what is not finite is last. */
  public double loss(Result result) {
    var judged = result.outcome().judged();
    Map<String, Double> figures =
        byWorst && !judged.environments().isEmpty()
            ? EnvironmentSpread.of(judged.environments().values(), 1).worst()
            : judged.figures().byName();
    double loss = figures.getOrDefault("loss", Double.NaN);
    return Double.isFinite(loss) ? loss : Double.POSITIVE_INFINITY;
  }

  private long rowsOf(int round) {
    long share = rows;
    for (int r = round; r < ROUNDS - 1; r++) {
      share /= KEPT;
    }
    return Math.min(rows, Math.max(LEAST_ROWS, share));
  }
}
