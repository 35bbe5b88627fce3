package io.holdfast.bench.defaults;

import io.holdfast.bench.data.DataFolder;
import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.MarkdownTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How good each booster's defaults are, with early stopping and without. */
@Command(
    name = "defaults",
    description = "Test losses of fit's, LightGBM's and XGBoost's defaults on many data sets.",
    mixinStandardHelpOptions = true)
public final class DefaultsCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--data", paramLabel = "FOLDER", description = "The folder of the data sets.")
  @Nullable Path data;

  @Option(
      names = "--rows",
      defaultValue = "10000",
      description = "Rows of a set at most (${DEFAULT-VALUE}).")
  int rows;

  @Option(
      names = "--seeds",
      defaultValue = "3",
      description = "Splits of each set (${DEFAULT-VALUE}).")
  int seeds;

  @Option(
      names = "--depths",
      split = ",",
      defaultValue = "64",
      description = "Depths of Holdfast's trees; the last is held against (${DEFAULT-VALUE}).")
  List<Integer> depths;

  @Option(
      names = "--categories",
      description = "Only the generated sets of many categories, up to 100,000 of them.")
  boolean categories;

  /** One draw of a problem; most cost memory, so they are made when it is their turn. */
  private interface Draw {
    Problem of(long seed);
  }

  @Override
  public Integer call() throws Exception {
    LightGbm.load();
    List<Draw> draws = new ArrayList<>();
    if (categories) {
      for (boolean twoLevels : new boolean[] {true, false}) {
        for (int count : new int[] {200, 1_000, 10_000, 100_000}) {
          draws.add(seed -> Problem.categories(count, count > 10_000 ? 5 : 20, twoLevels, seed));
        }
      }
    } else {
      DataFolder folder = DataFolder.of(data);
      Task.ALL.stream()
          .filter(task -> task.objective().outputs() == 1)
          .forEach(task -> draws.add(seed -> Problem.of(folder, task, rows, seed)));
      draws.add(seed -> Problem.friedman(rows, seed));
      draws.add(seed -> Problem.steps(rows, seed));
      draws.add(seed -> Problem.categories(rows / 20, 20, false, seed));
    }
    PrintWriter out = spec.commandLine().getOut();
    for (boolean stopping : new boolean[] {false, true}) {
      out.println(stopping ? "With early stopping:" : "100 rounds:");
      out.println(header());
      double gaps = 0;
      for (Draw draw : draws) {
        gaps += line(draw, stopping, out);
        out.flush();
      }
      out.println("mean gap: " + MarkdownTable.percent(gaps / draws.size()));
    }
    return 0;
  }

  private String header() {
    List<String> header = new ArrayList<>(List.of("set"));
    depths.forEach(depth -> header.add("Holdfast, depth " + depth));
    header.addAll(List.of("LightGBM", "XGBoost", "gap to the better"));
    return new MarkdownTable(header).toString().strip();
  }

  /** Prints the mean losses over the seeds; returns how far the last depth is behind the better. */
  private double line(Draw draw, boolean stopping, PrintWriter out) throws Exception {
    List<Learner> learners = new ArrayList<>();
    depths.forEach(depth -> learners.add(new HoldfastDefaults(depth)));
    learners.add(new LightGbmDefaults());
    learners.add(new XgBoostDefaults());
    double[] losses = new double[learners.size()];
    String name = "";
    for (int seed = 1; seed <= seeds; seed++) {
      Problem problem = draw.of(seed);
      name = problem.name();
      for (int k = 0; k < losses.length; k++) {
        double[] scores = learners.get(k).scores(problem, stopping);
        losses[k] += MeanLoss.of(problem.objective(), problem.test(), scores) / seeds;
      }
    }
    double ours = losses[depths.size() - 1];
    double gap = ours / Math.min(losses[depths.size()], losses[depths.size() + 1]) - 1;
    List<String> cells = new ArrayList<>(List.of(name));
    for (double loss : losses) {
      cells.add(MarkdownTable.figure(loss));
    }
    cells.add(MarkdownTable.percent(gap));
    out.println("| " + String.join(" | ", cells) + " |");
    return gap;
  }
}
