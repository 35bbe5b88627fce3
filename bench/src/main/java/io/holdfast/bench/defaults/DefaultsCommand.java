package io.holdfast.bench.defaults;

import io.holdfast.bench.data.DataOptions;
import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How good each booster's defaults are, with early stopping and without. */
@Command(
    name = "defaults",
    description = "Test losses of fit's, LightGBM's and XGBoost's defaults on many data sets.")
public final class DefaultsCommand extends BenchCommand {
  private static final List<Learner> LEARNERS =
      List.of(new HoldfastDefaults(), new LightGbmDefaults(), new XgBoostDefaults());

  @Mixin DataOptions data;

  @Option(names = "--rows", description = "Rows of a set at most (${DEFAULT-VALUE}).")
  int rows = 10_000;

  @Option(names = "--seeds", description = "Splits of each set (${DEFAULT-VALUE}).")
  int seeds = 3;

  @Option(
      names = "--categories",
      description = "Only the generated sets of many categories, up to 100,000 of them.")
  boolean categories;

  @Override
  protected void run(PrintWriter out) throws Exception {
    LightGbm.load();
    List<LongFunction<Problem>> draws = draws();
    for (boolean stopping : new boolean[] {false, true}) {
      out.println(stopping ? "With early stopping:" : "100 rounds:");
      out.print(
          MarkdownTable.headed(
              "set | Holdfast, depth 64 | LightGBM | XGBoost | gap to the better"));
      double gaps = 0;
      for (LongFunction<Problem> draw : draws) {
        gaps += line(draw, stopping, out);
        out.flush();
      }
      out.println("mean gap: " + MarkdownTable.percent(gaps / draws.size()));
    }
  }

  /** Problems by seed; most cost memory, so they are made when it is their turn. */
  private List<LongFunction<Problem>> draws() {
    List<LongFunction<Problem>> draws = new ArrayList<>();
    if (categories) {
      for (boolean twoLevels : new boolean[] {true, false}) {
        for (int count : new int[] {200, 1_000, 10_000, 100_000}) {
          draws.add(seed -> Problem.categories(count, count > 10_000 ? 5 : 20, twoLevels, seed));
        }
      }
      return draws;
    }
    for (Task task : Task.ALL) {
      if (task.objective().outputs() == 1) {
        draws.add(seed -> Problem.of(data.folder(), task, rows, seed));
      }
    }
    draws.add(seed -> Problem.friedman(rows, seed));
    draws.add(seed -> Problem.steps(rows, seed));
    draws.add(seed -> Problem.categories(rows / 20, 20, false, seed));
    return draws;
  }

  /** Prints the mean losses over the seeds; how far Holdfast is behind the better peer. */
  private double line(LongFunction<Problem> draw, boolean stopping, PrintWriter out)
      throws Exception {
    double[] losses = new double[LEARNERS.size()];
    String name = "";
    for (int seed = 1; seed <= seeds; seed++) {
      Problem problem = draw.apply(seed);
      name = problem.name();
      for (int k = 0; k < losses.length; k++) {
        double[] scores = LEARNERS.get(k).scores(problem, stopping);
        losses[k] += MeanLoss.of(problem.objective(), problem.test(), scores) / seeds;
      }
    }
    double gap = losses[0] / Math.min(losses[1], losses[2]) - 1;
    out.println(
        MarkdownTable.line(
            name,
            MarkdownTable.figure(losses[0]),
            MarkdownTable.figure(losses[1]),
            MarkdownTable.figure(losses[2]),
            MarkdownTable.percent(gap)));
    return gap;
  }
}
