package io.holdfast.bench.training;

import io.holdfast.bench.peer.PeerException;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.numeric.VectorForms;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Contenders that run in turn, so that what else the machine does hits all of them alike. */
final class Race {
  /** Of the table that lines are printed for. */
  static final String HEADER =
      new MarkdownTable(
              "objective",
              "rows",
              "features",
              "threads",
              "trainer",
              "ms a tree",
              "ratio",
              "ms a window",
              "ratio",
              "test loss")
          .toString()
          .strip();

  private final List<Contender> contenders;
  private final int runs;
  private final int warmUp;

  /** Ratios are to the first of them. Takes the contenders over: they are closed afterwards. */
  Race(List<Contender> contenders, int runs, int warmUp) {
    this.contenders = contenders;
    this.runs = runs;
    this.warmUp = warmUp;
    VectorForms.tryAll(); // small windows would take long to be worth it
  }

  /** Runs all of them, and prints a line for each: medians of times, and of ratios run by run. */
  void print(Task task, PrintWriter out) {
    int count = contenders.size();
    double[][] boosting = new double[count][runs];
    double[][] window = new double[count][runs];
    @Nullable String[] failure = new @Nullable String[count];
    for (int run = -warmUp; run < runs; run++) {
      for (int k = 0; k < count; k++) {
        Contender.Times times = run(contenders.get(k), k, failure);
        if (run >= 0) {
          boosting[k][run] = times.boosting();
          window[k][run] = times.window();
        }
      }
    }
    for (int k = 0; k < count; k++) {
      Contender contender = contenders.get(k);
      if (failure[k] != null) {
        out.println("| | | | | " + contender.name() + " | fails: " + failure[k] + " | | | | |");
        continue;
      }
      out.println(
          "| "
              + String.join(
                  " | ",
                  task.objective().name(),
                  MarkdownTable.count(task.window().size()),
                  Integer.toString(task.width()),
                  Integer.toString(task.threads()),
                  contender.name(),
                  MarkdownTable.figure(median(boosting[k]) / task.rounds()),
                  ratio(boosting[k], boosting[0]),
                  MarkdownTable.figure(median(window[k])),
                  ratio(window[k], window[0]),
                  MarkdownTable.figure(contender.testLoss()))
              + " |");
    }
    out.flush();
    contenders.forEach(Contender::close);
  }

  /** A run; of a peer that fails, what it says is noted, and no more runs are made. */
  private static Contender.Times run(Contender contender, int k, @Nullable String[] failure) {
    var none = new Contender.Times(Double.NaN, Double.NaN);
    if (failure[k] != null) {
      return none;
    }
    try {
      return contender.run();
    } catch (PeerException e) {
      failure[k] = e.getMessage();
      return none;
    }
  }

  private static String ratio(double[] times, double[] base) {
    double[] ratios = new double[times.length];
    for (int run = 0; run < ratios.length; run++) {
      ratios[run] = times[run] / base[run];
    }
    return String.format(Locale.ROOT, "%.2f", median(ratios));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
