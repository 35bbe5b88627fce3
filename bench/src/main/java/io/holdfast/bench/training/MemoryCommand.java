package io.holdfast.bench.training;

import com.sun.management.ThreadMXBean;
import io.holdfast.bench.report.MarkdownTable;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.Workspace;
import io.holdfast.boosting.model.Model;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import picocli.CommandLine.Command;

/** What training allocates for its first window, and for those after it. */
@Command(
    name = "training-memory",
    description = "Counts what windows allocate: the first, and those that have its arrays.")
public final class MemoryCommand extends WindowsCommand {
  private static final int WINDOWS = 4;

  MemoryCommand() {
    super(10, 30, 100);
  }

  @Override
  protected void run(PrintWriter out) throws Exception {
    out.print(
        MarkdownTable.headed(
            "objective | gamma | rows | features | first window, MB | bytes a row | "
                + "later, MB"));
    forEach(
        out,
        (binary, rows, width) -> {
          var task = WindowTask.of(binary, rows, width, ENSEMBLE, 1, 0);
          out.println(line(task, 1));
          out.println(line(task, 7));
        });
  }

  private static String line(WindowTask task, double gamma) {
    BoosterSettings settings = HoldfastContender.settings(task).gamma(gamma).build();
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
    return MarkdownTable.line(
        task.objective().name(),
        MarkdownTable.count(Math.round(gamma)),
        MarkdownTable.count(task.window().size()),
        MarkdownTable.count(task.window().width()),
        String.format(Locale.ROOT, "%.1f", first / 1e6),
        MarkdownTable.count(first / task.window().size()),
        String.format(Locale.ROOT, "%.1f", last / 1e6));
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
