package io.holdfast.bench.training;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.report.MarkdownTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Whether what is learned in less time is as good: losses of many windows, since that of one is as
 * much luck as anything.
 */
@Command(
    name = "training-losses",
    description = "Compares the losses of the windows that \"training\" times, over many of them.",
    mixinStandardHelpOptions = true)
public final class LossCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--rows", split = ",", defaultValue = "1000,10000,100000")
  int[] sizes;

  @Option(names = "--features", split = ",", defaultValue = "10,30,100")
  int[] widths;

  @Option(
      names = "--windows",
      defaultValue = "20",
      description = "Windows of each kind (${DEFAULT-VALUE}).")
  int windows;

  @Option(
      names = "--ensemble",
      defaultValue = "100",
      description = "Trees there are before, from an earlier window (${DEFAULT-VALUE}).")
  int ensemble;

  @Override
  public Integer call() throws IOException {
    LightGbm.load();
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        new MarkdownTable("objective", "rows", "features", "windows", "Holdfast", "LightGBM", "gap")
            .toString()
            .strip());
    for (boolean binary : new boolean[] {false, true}) {
      for (int size : sizes) {
        for (int width : widths) {
          out.println(compare(binary, size, width));
          out.flush();
        }
      }
    }
    return 0;
  }

  private String compare(boolean binary, int size, int width) {
    double ours = 0;
    double theirs = 0;
    double sum = 0;
    double squares = 0;
    for (int window = 0; window < windows; window++) {
      var task = Task.of(binary, size, width, ensemble, 1, window);
      try (Arena arena = Arena.ofConfined();
          Contender holdfast = new HoldfastContender("Holdfast", task, UnaryOperator.identity());
          Contender lightGbm = new LightGbmContender("LightGBM", task, "", false, arena)) {
        for (Contender contender : List.of(holdfast, lightGbm)) {
          contender.run();
        }
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
    return "| "
        + String.join(
            " | ",
            binary ? "logistic" : "squared",
            MarkdownTable.count(size),
            MarkdownTable.count(width),
            MarkdownTable.count(windows),
            MarkdownTable.figure(ours),
            MarkdownTable.figure(theirs),
            String.format(Locale.ROOT, "%+.2f%% ± %.2f", mean, error))
        + " |";
  }
}
