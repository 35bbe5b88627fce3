package io.holdfast.cli.learn;

import io.holdfast.cli.data.DataFile;
import io.holdfast.cli.data.EventTimes;
import io.holdfast.cli.data.RowCursor;
import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.settings.ModelSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Several models on one stream: the file is read once, and each model, on a thread of its own, sees
 * the same rows with the same delays. Examples have the {@code offsets}, by number from 0; rows'
 * times are milliseconds if {@code times} is null. Rows are served with intervals or sets of the
 * {@code levels}.
 */
public record BacktestRun(
    DataFile file,
    LabelDelay delay,
    InstantSource time,
    LongUnaryOperator offsets,
    @Nullable EventTimes times,
    List<Double> levels) {
  private static final int CHUNK = 2_048;
  private static final int POINTS = 250;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  public record Candidate(String name, ModelSettings settings) {}

  /** What came of one; {@code cpuSeconds} are of its own thread alone. */
  public record Result(Candidate candidate, Backtest.Outcome outcome, double cpuSeconds) {}

  private static final class Lane {
    private final Candidate candidate;
    private final Backtest backtest;
    private long cpuNanos;
    private Backtest.@Nullable Outcome outcome;

    Lane(Candidate candidate, Backtest backtest) {
      this.candidate = candidate;
      this.backtest = backtest;
    }
  }

  /** Runs candidates that agree on label, weight, environment, anchors and time. */
  public List<Result> run(List<Candidate> candidates, long rows, Runnable afterRow) {
    long all = Math.min(rows, file.rows());
    long pointEvery = Math.max(1, all / POINTS);
    List<Lane> lanes = new ArrayList<>();
    for (Candidate candidate : candidates) {
      lanes.add(
          new Lane(
              candidate,
              new Backtest(
                  file, candidate.settings(), delay, all, pointEvery, time, offsets, levels)));
    }
    ModelSettings first = candidates.getFirst().settings();
    int threads = Runtime.getRuntime().availableProcessors();
    try (RowCursor cursor = file.open();
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, candidates.size()))) {
      RowFields fields = RowFields.of(first, file, delay.timed());
      List<Backtest.Row> chunk = new ArrayList<>(CHUNK);
      long clock = Long.MIN_VALUE;
      long number = 0;
      while (number < rows) {
        byte[] body = cursor.next();
        if (body == null) {
          break;
        }
        RowFields.Said said = fields.learned(body, cursor);
        clock = delay.timed() ? later(clock, said, cursor, first) : number;
        chunk.add(new Backtest.Row(number++, clock, body, said));
        if (chunk.size() == CHUNK) {
          pass(chunk, lanes, pool);
          chunk.forEach(row -> afterRow.run());
          chunk.clear();
        }
      }
      pass(chunk, lanes, pool);
      chunk.forEach(row -> afterRow.run());
      each(lanes, pool, lane -> lane.outcome = lane.backtest.finish());
    }
    return lanes.stream().map(BacktestRun::result).toList();
  }

  private static Result result(Lane lane) {
    Backtest.Outcome outcome = lane.outcome;
    if (outcome == null) {
      throw new IllegalStateException(lane.candidate.name() + " did not finish");
    }
    return new Result(lane.candidate, outcome, lane.cpuNanos / 1e9);
  }

  /** A row's time, or that of the row before where it goes backwards or is missing. */
  private long later(long clock, RowFields.Said said, RowCursor at, ModelSettings settings) {
    if (Double.isNaN(said.time()) && clock == Long.MIN_VALUE) {
      throw new DataException(
          "%s has no time in column %s, which the first row must have for a delay by time",
          at.place(), ColumnName.of(String.valueOf(settings.time())));
    }
    double millis = times == null ? said.time() : times.millis(said.time());
    return Double.isNaN(millis) ? clock : Math.max(clock, (long) millis);
  }

  private static void pass(List<Backtest.Row> chunk, List<Lane> lanes, ExecutorService pool) {
    each(lanes, pool, lane -> chunk.forEach(lane.backtest::accept));
  }

  private static void each(List<Lane> lanes, ExecutorService pool, Consumer<Lane> work) {
    List<Callable<Object>> tasks = new ArrayList<>();
    for (Lane lane : lanes) {
      tasks.add(
          Executors.callable(
              () -> {
                long begin = THREADS.getCurrentThreadCpuTime();
                work.accept(lane);
                lane.cpuNanos += THREADS.getCurrentThreadCpuTime() - begin;
              }));
    }
    try {
      for (Future<Object> one : pool.invokeAll(tasks)) {
        one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException mistake) {
        throw mistake; // a mistake of the user's among them: it says so itself
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
