package io.holdfast.bench.training;

import com.sun.management.ThreadMXBean;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.split.TreeLimits;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What training allocates for its first window, and for those after it. */
@Command(
    name = "training-memory",
    description = "Counts what windows allocate: the first, and those that have its arrays.",
    mixinStandardHelpOptions = true)
public final class MemoryCommand implements Callable<Integer> {
  private static final int WINDOWS = 4;
  private static final int ENSEMBLE = 100;
  private static final double GAMMA = 7;

  @Spec CommandSpec spec;

  @Option(names = "--rows", split = ",", defaultValue = "1000,10000,100000")
  int[] sizes;

  @Option(names = "--features", split = ",", defaultValue = "10,30,100")
  int[] widths;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    var table =
        new MarkdownTable(
            "objective",
            "gamma",
            "rows",
            "features",
            "first window, MB",
            "bytes a row",
            "later, MB");
    for (boolean binary : new boolean[] {false, true}) {
      for (double gamma : new double[] {1, GAMMA}) {
        for (int size : sizes) {
          for (int width : widths) {
            add(table, Task.of(binary, size, width, ENSEMBLE, 1), gamma);
          }
        }
      }
    }
    out.print(table);
    out.flush();
    return 0;
  }

  private static void add(MarkdownTable table, Task task, double gamma) {
    BoosterSettings settings =
        BoosterSettings.builder(task.objective())
            .gamma(gamma)
            .rounds(task.rounds())
            .trees(new TreeLimits(task.leaves(), 64, Task.MIN_ROWS, Task.MIN_HESSIAN, 0))
            .maxBins(Task.MAX_BINS)
            .build();
    BoosterSettings earlier = settings.toBuilder().rounds(ENSEMBLE).build();
    Model before = new Booster(earlier).fit(task.features(), task.before()).model();
    var booster = new Booster(settings, new Workspace());
    long first = 0;
    long last = 0;
    for (int window = 0; window < WINDOWS; window++) {
      long start = allocatedBytes();
      booster.extend(before, task.features(), task.window(), FitListener.NONE);
      last = allocatedBytes() - start;
      first = window == 0 ? last : first;
    }
    table.add(
        task.objective().name(),
        MarkdownTable.count(Math.round(gamma)),
        MarkdownTable.count(task.window().size()),
        MarkdownTable.count(task.width()),
        String.format(Locale.ROOT, "%.1f", first / 1e6),
        MarkdownTable.count(first / task.window().size()),
        String.format(Locale.ROOT, "%.1f", last / 1e6));
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
