package io.holdfast.bench.streams;

import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.cli.data.DataException;
import io.holdfast.trainer.learn.OfflineTrainer;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a row costs as a stream goes on. */
@Command(
    name = "growth",
    description = {
      "Scores and learns from a long simulated stream by default settings, and prints stretch by",
      "stretch what a row took of the training thread, and the heap that is in use after it."
    },
    mixinStandardHelpOptions = true)
public final class GrowthCommand implements Callable<Integer> {
  private static final long SEED = 5;
  private static final double MEGABYTE = 1e6;

  @Spec CommandSpec spec;

  @Option(
      names = "--stream",
      defaultValue = "sea-g",
      description = "A generator with two classes (${DEFAULT-VALUE}).")
  String stream;

  @Option(names = "--rows", defaultValue = "2000000", description = "Of all (${DEFAULT-VALUE}).")
  long rows;

  @Option(
      names = "--stretch",
      defaultValue = "100000",
      description = "Rows of a line (${DEFAULT-VALUE}).")
  long stretch;

  @Option(
      names = "--delay",
      defaultValue = "0",
      description = "How many rows labels are late (${DEFAULT-VALUE}).")
  int delay;

  @Option(
      names = "--policy",
      defaultValue = "auto",
      description = "The update policy (${DEFAULT-VALUE}).")
  String policy;

  @Option(names = "--set", description = "A setting that is not at its default: KEY=VALUE.")
  Map<String, String> changes = Map.of();

  @Override
  public Integer call() {
    if (stretch < 1) {
      throw new DataException("--stretch must be 1 or more: %d", stretch);
    }
    if (!(StreamSource.named(stream) instanceof StreamSource.Generated generated)) {
      throw new DataException("a stream must be drawn by a generator, which %s is not", stream);
    }
    SimulatedStream draws = generated.stream().stream(SEED, rows);
    if (draws.classes() != 2) {
      throw new DataException("a stream must have two classes: %s has %d", stream, draws.classes());
    }
    Map<String, String> settings = new HashMap<>(changes);
    settings.put("update.policy", policy);
    var trainer =
        new OfflineTrainer(
            HoldfastLearner.settings(draws.classes(), settings), draws.features(), delay);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        new MarkdownTable("rows", "CPU, µs a row", "heap, MB", "versions", "trees", "accuracy, %"));
    long from = threads.getCurrentThreadCpuTime();
    long right = 0;
    for (long row = 1; row <= rows; row++) {
      SimulatedRow next = draws.next();
      String environment = draws.environments().get(next.environment());
      double[] raw = trainer.next(next.features(), next.label(), environment);
      Objective objective = trainer.core().serving().model().objective();
      right += (objective.prediction(raw) > 0.5 ? 1 : 0) == next.label() ? 1 : 0;
      if (row % stretch == 0) {
        double micros = (threads.getCurrentThreadCpuTime() - from) / 1e3 / stretch;
        out.print(line(trainer, row, micros, (double) right / stretch));
        out.flush();
        right = 0;
        from = threads.getCurrentThreadCpuTime();
      }
    }
    return 0;
  }

  private static String line(OfflineTrainer trainer, long row, double micros, double accuracy) {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return "| "
        + String.join(
            " | ",
            MarkdownTable.count(row),
            String.format(Locale.ROOT, "%.0f", micros),
            String.format(Locale.ROOT, "%.0f", used / MEGABYTE),
            MarkdownTable.count(trainer.core().tip().number()),
            MarkdownTable.count(trainer.core().tip().model().trees()),
            String.format(Locale.ROOT, "%.1f", 100 * accuracy))
        + " |\n";
  }
}
