package io.holdfast.bench.training;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.PeerException;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.Runs;
import io.holdfast.boosting.numeric.VectorForms;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** Contenders that train in turn, so that what else the machine does hits all of them alike. */
abstract class RaceCommand extends WindowsCommand {
  @Option(names = "--runs", description = "Counted runs of each (${DEFAULT-VALUE}).")
  int runs = 7;

  @Option(names = "--warm-up", description = "Runs of each that do not count (${DEFAULT-VALUE}).")
  int warmUp = 5;

  RaceCommand(int... widths) {
    super(widths);
  }

  abstract WindowTask task(boolean binary, int rows, int width);

  /** Who trains, by name; ratios are to the first. */
  abstract Map<String, Contender> contenders(WindowTask task, Arena arena);

  @Override
  protected void run(PrintWriter out) throws Exception {
    LightGbm.load();
    VectorForms.tryAll(); // small windows would take long to be worth it
    out.print(
        MarkdownTable.headed(
            "objective | rows | features | threads | trainer | ms a tree | ratio | ms a "
                + "window | ratio | test loss"));
    forEach(
        out,
        (binary, rows, width) -> {
          try (Arena arena = Arena.ofConfined()) {
            WindowTask task = task(binary, rows, width);
            race(task, contenders(task, arena), out);
          }
        });
  }

  /** Prints a line for each contender: medians of times, and of ratios run by run. */
  private void race(WindowTask task, Map<String, Contender> contenders, PrintWriter out) {
    List<Contender> all = List.copyOf(contenders.values());
    double[][] boosting = new double[all.size()][runs];
    double[][] window = new double[all.size()][runs];
    String[] failures = new String[all.size()];
    Arrays.fill(failures, "");
    for (int run = -warmUp; run < runs; run++) {
      for (int k = 0; k < all.size(); k++) {
        if (failures[k].isEmpty()) {
          try {
            Contender.Times times = all.get(k).run();
            if (run >= 0) {
              boosting[k][run] = times.boosting();
              window[k][run] = times.window();
            }
          } catch (PeerException e) {
            failures[k] = String.valueOf(e.getMessage());
          }
        }
      }
    }
    int k = 0;
    for (String name : contenders.keySet()) {
      String what = name + ", " + task.objective().name() + ", " + task.window().size();
      note("tree, " + what, Runs.ratio(boosting[k], boosting[0]));
      note("window, " + what, Runs.ratio(window[k], window[0]));
      out.println(
          failures[k].isEmpty()
              ? MarkdownTable.line(
                  task.objective().name(),
                  MarkdownTable.count(task.window().size()),
                  Integer.toString(task.window().width()),
                  Integer.toString(task.threads()),
                  name,
                  MarkdownTable.figure(Runs.median(boosting[k]) / WindowTask.ROUNDS),
                  String.format(Locale.ROOT, "%.2f", Runs.ratio(boosting[k], boosting[0])),
                  MarkdownTable.figure(Runs.median(window[k])),
                  String.format(Locale.ROOT, "%.2f", Runs.ratio(window[k], window[0])),
                  MarkdownTable.figure(all.get(k).testLoss()))
              : "| | | | | " + name + " | fails: " + failures[k] + " | | | | |");
      k++;
    }
    all.forEach(Contender::close);
  }
}
