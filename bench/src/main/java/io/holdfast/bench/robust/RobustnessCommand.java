package io.holdfast.bench.robust;

import static io.holdfast.bench.report.MarkdownTable.count;
import static io.holdfast.bench.report.MarkdownTable.figure;

import io.holdfast.bench.data.LabelledRows;
import io.holdfast.bench.data.SampleOptions;
import io.holdfast.bench.data.Task;
import io.holdfast.bench.report.BenchCommand;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.bench.report.RiskSummary;
import io.holdfast.bench.report.Runs;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.select.GammaSearch;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Risk on environments that training has not seen, by gamma. */
@Command(
    name = "robustness",
    description =
        "Leaves each environment of a data set out in turn and measures the loss on it, by gamma.")
public final class RobustnessCommand extends BenchCommand {
  private static final GammaSearch SEARCH =
      new GammaSearch(
          List.of(0.0, 1.0, 2.0, 4.0, 7.0, 16.0, 64.0), new Criterion.Mean(), true, 2, 10, 5);
  private static final int THREADS = 2; // changes no figure

  @Mixin SampleOptions data;

  @Option(
      names = "--tasks",
      split = ",",
      defaultValue =
          "turbine-squared,cover-logistic,cover-softmax,electricity-logistic,weather-squared,"
              + "air-squared,bikes-squared,wine-squared,fires-squared",
      description = "What to learn (${DEFAULT-VALUE}).")
  List<String> tasks;

  @Option(names = "--environments", description = "Show the risks of each environment too.")
  boolean environments;

  @Override
  protected void run(PrintWriter out) throws ExecutionException, InterruptedException {
    for (Task task : data.tasks(tasks)) {
      LabelledRows all = LabelledRows.read(data.folder(), task);
      Rows rows = data.sample(all.rows(), 1);
      List<HeldOutEnvironment> held = measure(task, new LabelledRows(all.features(), rows));
      out.print(
          String.format(
              Locale.ROOT,
              "%n### %s%n%n%s rows, %d environments, %d of them held out in turn%n%n%s",
              task,
              count(rows.size()),
              rows.environments().size(),
              held.size(),
              table(held)));
      if (environments) {
        out.print("\n" + byEnvironment(held));
      }
      out.flush();
    }
  }

  private List<HeldOutEnvironment> measure(Task task, LabelledRows all)
      throws ExecutionException, InterruptedException {
    BoosterSettings settings =
        BoosterSettings.builder(task.objective()).rounds(data.quick() ? 3 : 100).seed(1).build();
    int[] sizes = new int[all.rows().environments().size()];
    for (int row = 0; row < all.rows().size(); row++) {
      sizes[all.rows().environment(row)]++;
    }
    try (var workers = Executors.newFixedThreadPool(THREADS)) {
      List<Future<HeldOutEnvironment>> results = new ArrayList<>();
      for (int environment = 0; environment < sizes.length; environment++) {
        int left = environment;
        if (sizes[environment] >= SEARCH.minRows()) {
          results.add(
              workers.submit(() -> HeldOutEnvironment.measure(settings, SEARCH, all, left)));
        }
      }
      List<HeldOutEnvironment> held = new ArrayList<>();
      for (Future<HeldOutEnvironment> result : results) {
        held.add(result.get());
      }
      return held;
    }
  }

  private static MarkdownTable table(List<HeldOutEnvironment> held) {
    List<String> header = new ArrayList<>(List.of("gamma", "rounds"));
    header.addAll(RiskSummary.header("1"));
    header.add("mean, all rounds");
    var table = new MarkdownTable(header);
    int plain = SEARCH.gammas().indexOf(1.0);
    double[] reference = risks(held, one -> one.risk(plain));
    add(table, "constant", "0", reference, risks(held, HeldOutEnvironment::constantRisk), "");
    for (int k = 0; k < SEARCH.gammas().size(); k++) {
      int gamma = k;
      add(
          table,
          gamma(SEARCH.gammas().get(k)),
          median(held, one -> one.rounds(gamma)),
          reference,
          risks(held, one -> one.risk(gamma)),
          figure(RiskSummary.of(risks(held, one -> one.riskAfterAllRounds(gamma))).mean()));
    }
    auto(table, "auto, by mean: ", new Criterion.Mean(), reference, held);
    auto(table, "auto, by worst: ", new Criterion.Worst(), reference, held);
    return table;
  }

  private static void auto(
      MarkdownTable table,
      String name,
      Criterion criterion,
      double[] reference,
      List<HeldOutEnvironment> held) {
    String gammas =
        held.stream()
            .map(one -> one.auto(criterion).gamma())
            .collect(Collectors.groupingBy(gamma -> gamma, TreeMap::new, Collectors.counting()))
            .entrySet()
            .stream()
            .map(entry -> entry.getValue() + " × " + gamma(entry.getKey()))
            .collect(Collectors.joining(", "));
    add(
        table,
        name + gammas,
        median(held, one -> one.auto(criterion).rounds()),
        reference,
        risks(held, one -> one.auto(criterion).risk()),
        "");
  }

  private static void add(
      MarkdownTable table,
      String name,
      String rounds,
      double[] reference,
      double[] risks,
      String afterAllRounds) {
    List<String> cells = new ArrayList<>(List.of(name, rounds));
    cells.addAll(RiskSummary.cells(risks, reference));
    cells.add(afterAllRounds);
    table.add(cells);
  }

  private static MarkdownTable byEnvironment(List<HeldOutEnvironment> held) {
    List<String> header = new ArrayList<>(List.of("environment", "constant"));
    SEARCH.gammas().forEach(gamma -> header.add(gamma(gamma)));
    var table = new MarkdownTable(header);
    for (HeldOutEnvironment one : held) {
      List<String> cells = new ArrayList<>(List.of(one.name(), figure(one.constantRisk())));
      for (int k = 0; k < SEARCH.gammas().size(); k++) {
        cells.add(figure(one.risk(k)));
      }
      table.add(cells);
    }
    return table;
  }

  private static double[] risks(
      List<HeldOutEnvironment> held, ToDoubleFunction<HeldOutEnvironment> risk) {
    return held.stream().mapToDouble(risk).toArray();
  }

  private static String median(
      List<HeldOutEnvironment> held, ToDoubleFunction<HeldOutEnvironment> rounds) {
    return Integer.toString((int) Runs.median(risks(held, rounds)));
  }

  private static String gamma(double gamma) {
    return String.format(Locale.ROOT, "%.0f", gamma);
  }
}
