package io.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.pipeline.PipelineCommand;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.scoring.ScoringCommand;
import io.holdfast.bench.training.AnchorCostCommand;
import io.holdfast.bench.training.TrainingCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast-bench floors}: every speed floor, its anchor beside it in the same run. */
@Command(
    name = "floors",
    description = {
      "Measures every figure that has a floor, beside its anchor, and says which floors hold; exit"
          + " code 1 if one does not.",
      "On machines with vectors of 256 bits a ratio may be 1.5 times its floor."
    })
public final class FloorsCommand extends BenchCommand {
  @Option(names = "--without-vectors", description = "Those of a JVM without vectors alone.")
  private boolean withoutVectors;

  private int missed;

  /**
   * A bound that a ratio must keep.
   *
   * @param figure what is measured, in words
   * @param key what {@link BenchCommand#ratios} has it under, without the objective
   * @param bound the most it may be, or the least where it is of records a second
   */
  record Floor(String figure, String anchor, String key, double bound, boolean least) {
    static Floor most(String figure, String anchor, String key, double bound) {
      return new Floor(figure, anchor, key, bound, false);
    }

    boolean holds(double ratio) {
      return least ? ratio >= bound : ratio <= bound;
    }
  }

  @Override
  protected void run(PrintWriter out) throws IOException, InterruptedException {
    if (withoutVectors) {
      tree(out, "10000", 9, 50, "tree, 10,000 × 30, no vectors", 0.55);
      return;
    }
    out.print(new MarkdownTable("figure", "anchor", "ratio", "floor", "holds"));
    Map<String, Double> window = tree(out, "10000", 9, 50, "tree, 10,000 × 30", 0.25);
    String kept = "window, Holdfast, bins kept, %s, 10000";
    byObjective(out, Floor.most("window, 10,000 × 30, bins kept", "LightGBM", kept, 0.20), window);
    tree(out, "100000", 5, 4, "tree, 100,000 × 30", 0.50);
    tree(out, "500000", 3, 1, "tree, 500,000 × 30", 0.62);
    Map<String, Double> anchored =
        ratios(new AnchorCostCommand(), "--rows=10000", "--runs=7", "--warm-up=40");
    String gamma = "window, Holdfast, gamma 7, %s, 10000";
    byObjective(out, Floor.most("window at gamma 7", "gamma 1", gamma, 1.25), anchored);
    scoring(out);
    Map<String, Double> records =
        ratios(new PipelineCommand(), "--trees=100,500", "--runs=11", "--warm-up=5");
    for (String guarantee : List.of("exactly_once_v2", "at_least_once")) {
      for (int trees : new int[] {100, 500}) {
        String key = guarantee + ", " + trees + "-trees";
        double least = trees == 100 ? 0.90 : 0.85;
        judge(
            out, new Floor("records/s, " + key, "identity", key, least, true), ratio(records, key));
      }
    }
    missed += childWithoutVectors();
    out.println(missed == 0 ? "All floors hold." : missed + " do not hold.");
  }

  private void scoring(PrintWriter out) {
    Map<String, Double> ratios =
        ratios(new ScoringCommand(), "--trees=500", "--runs=9", "--warm-up=6");
    String model = "500 of 31 leaves, ";
    for (Floor floor :
        List.of(
            Floor.most("1 row, 500 trees", "LightGBM", "holdfast, lightgbm, " + model + 1, 0.15),
            Floor.most("1 row, 500 trees", "C", "holdfast, c, " + model + 1, 0.50),
            Floor.most("64 rows", "C", "holdfast, c, " + model + 64, 0.25),
            Floor.most("1,024 rows", "C", "holdfast, c, " + model + 1024, 0.10),
            Floor.most("1 row, no vectors", "LightGBM", "plain, lightgbm, " + model + 1, 0.40))) {
      judge(out, floor, ratio(ratios, floor.key()));
    }
  }

  private Map<String, Double> tree(
      PrintWriter out, String rows, int runs, int warmUp, String figure, double bound) {
    Map<String, Double> ratios =
        ratios(
            new TrainingCommand(),
            "--rows=" + rows,
            "--features=30",
            "--runs=" + runs,
            "--warm-up=" + warmUp,
            "--peers=none");
    byObjective(out, Floor.most(figure, "LightGBM", "tree, Holdfast, %s, " + rows, bound), ratios);
    return ratios;
  }

  private void byObjective(PrintWriter out, Floor floor, Map<String, Double> ratios) {
    for (String objective : List.of("squared", "logistic")) {
      String key = floor.key().replace("%s", objective);
      String figure = floor.figure() + ", " + objective;
      judge(out, Floor.most(figure, floor.anchor(), key, floor.bound()), ratio(ratios, key));
    }
  }

  /** What was not measured, as C where there is no gcc, does not hold. */
  private static double ratio(Map<String, Double> ratios, String key) {
    return ratios.getOrDefault(key, Double.NaN);
  }

  private void judge(PrintWriter out, Floor floor, double ratio) {
    boolean holds = floor.holds(ratio);
    missed += holds ? 0 : 1;
    out.println(
        MarkdownTable.line(
            floor.figure(),
            floor.anchor(),
            String.format(Locale.ROOT, "%.3f", ratio),
            String.format(Locale.ROOT, "%.2f", floor.bound()),
            holds ? "yes" : "no"));
    out.flush();
  }

  /** The command's own tables go to standard error. */
  private Map<String, Double> ratios(BenchCommand command, String... options) {
    PrintWriter tables = new PrintWriter(System.err, true, UTF_8);
    int exitCode = new CommandLine(command).setOut(tables).execute(options);
    if (exitCode != 0) {
      throw new IllegalStateException(command.getClass().getSimpleName() + " failed: see above");
    }
    return command.ratios();
  }

  /** Prints its floors; returns how many do not hold. */
  private static int childWithoutVectors() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.contains("jdk.incubator.vector"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    command.addAll(List.of("floors", "--without-vectors"));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @Override
  protected int exitCode() {
    return withoutVectors ? missed : Math.min(1, missed);
  }
}
