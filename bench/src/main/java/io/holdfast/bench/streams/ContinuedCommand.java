package io.holdfast.bench.streams;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.data.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A model of LightGBM that Holdfast goes on with, and that LightGBM goes on with. */
@Command(
    name = "continued",
    description = {
      "Fits LightGBM to the first third of a file, and goes on over the rest: as it is, imported"
          + " by",
      "Holdfast, and by LightGBM's own continuation and refit. Mean loss of windows, each scored",
      "before it is learned from."
    })
public final class ContinuedCommand extends BenchCommand {
  @Mixin DataOptions data;

  @Option(names = "--tasks", split = ",", description = "What is learned (${DEFAULT-VALUE}).")
  List<String> tasks = List.of("electricity-logistic", "bikes-squared");

  @Option(names = "--window", description = "Rows a window (${DEFAULT-VALUE}).")
  int window = 1_000;

  @Option(names = "--rounds", description = "Trees of the first model (${DEFAULT-VALUE}).")
  int rounds = 100;

  @Option(names = "--more", description = "Trees LightGBM adds a window (${DEFAULT-VALUE}).")
  int more = 10;

  @Override
  protected void run(PrintWriter out) throws IOException {
    LightGbm.load();
    var table = new MarkdownTable("task", "model", "first window", "all windows", "last third");
    for (Task task : Task.named(tasks)) {
      LabelledRows labelled = LabelledRows.read(data.folder(), task);
      Rows rows = labelled.rows();
      int third = rows.size() / 3;
      try (Arena arena = Arena.ofConfined()) {
        var start = new LightGbmStart(task, labelled.features(), arena);
        String model = start.fitted(range(rows, 0, third), rounds);
        Map<String, WindowLearner> learners = new LinkedHashMap<>();
        learners.put("as it is", start.fixed(model));
        learners.put("Holdfast, imported", start.holdfast(model));
        learners.put("LightGBM, `init_model`", start.continued(model, more));
        learners.put("LightGBM, `refit` 0.9", start.refitted(model));
        for (Map.Entry<String, WindowLearner> learner : learners.entrySet()) {
          double[] losses = losses(task, range(rows, third, rows.size()), learner.getValue());
          table.add(
              task.name(),
              learner.getKey(),
              mean(losses, 0, 1),
              mean(losses, 0, losses.length),
              mean(losses, losses.length * 2 / 3, losses.length));
        }
      }
    }
    out.print(table);
  }

  private double[] losses(Task task, Rows rows, WindowLearner learner) {
    List<Double> losses = new ArrayList<>();
    for (int from = 0; from + window <= rows.size(); from += window) {
      Rows next = range(rows, from, from + window);
      losses.add(MeanLoss.of(task.objective(), next, learner.scores(next)));
      learner.learn(next);
    }
    return losses.stream().mapToDouble(loss -> loss).toArray();
  }

  private static Rows range(Rows rows, int from, int to) {
    return rows.subset(IntStream.range(from, to).toArray());
  }

  private static String mean(double[] losses, int from, int to) {
    double mean = Arrays.stream(losses, from, to).average().orElseThrow();
    return String.format(Locale.ROOT, "%.4g", mean);
  }

  /** Scores a window of rows, then learns from it. */
  interface WindowLearner {
    double[] scores(Rows rows);

    default void learn(Rows rows) {}
  }
}
