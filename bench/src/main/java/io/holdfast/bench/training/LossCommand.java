package io.holdfast.bench.training;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.MarkdownTable;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Whether what is learned in less time is as good: losses of many windows, since one is luck. */
@Command(
    name = "training-losses",
    description = "Compares the losses of the windows that \"training\" times, over many of them.")
public final class LossCommand extends WindowsCommand {
  @Option(names = "--windows", description = "Windows of each kind (${DEFAULT-VALUE}).")
  int windows = 20;

  LossCommand() {
    super(10, 30, 100);
  }

  @Override
  protected void run(PrintWriter out) throws Exception {
    LightGbm.load();
    out.print(
        MarkdownTable.headed("objective | rows | features | windows | Holdfast | LightGBM | gap"));
    forEach(out, (binary, rows, width) -> out.println(compare(binary, rows, width)));
  }

  private String compare(boolean binary, int rows, int width) {
    double ours = 0;
    double theirs = 0;
    double sum = 0;
    double squares = 0;
    for (int window = 0; window < windows; window++) {
      var task = WindowTask.of(binary, rows, width, ENSEMBLE, 1, window);
      try (Arena arena = Arena.ofConfined();
          Contender holdfast = new HoldfastContender(task, false, settings -> settings);
          Contender lightGbm = new LightGbmContender(task, arena)) {
        holdfast.run();
        lightGbm.run();
        double loss = holdfast.testLoss();
        double theirLoss = lightGbm.testLoss();
        ours += loss / windows;
        theirs += theirLoss / windows;
        double gap = 100 * (loss / theirLoss - 1);
        sum += gap;
        squares += gap * gap;
      }
    }
    double mean = sum / windows;
    double error = Math.sqrt((squares / windows - mean * mean) / (windows - 1));
    return MarkdownTable.line(
        binary ? "logistic" : "squared",
        MarkdownTable.count(rows),
        MarkdownTable.count(width),
        MarkdownTable.count(windows),
        MarkdownTable.figure(ours),
        MarkdownTable.figure(theirs),
        String.format(Locale.ROOT, "%+.2f%% ± %.2f", mean, error));
  }
}
