package io.holdfast.bench.training;

import io.holdfast.bench.report.BenchCommand;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** A command that measures windows of several sizes and widths, of real and of binary labels. */
abstract class WindowsCommand extends BenchCommand {
  /** Trees that there are before a window, from an earlier one. */
  static final int ENSEMBLE = 100;

  @Option(
      names = "--rows",
      split = ",",
      defaultValue = "1000,10000,100000",
      description = "Rows of a window (${DEFAULT-VALUE}).")
  int[] sizes;

  @Option(names = "--features", split = ",", description = "Columns (${DEFAULT-VALUE}).")
  int[] widths;

  WindowsCommand(int... widths) {
    this.widths = widths;
  }

  final void forEach(PrintWriter out, Kind kind) throws Exception {
    for (boolean binary : new boolean[] {false, true}) {
      for (int size : sizes) {
        for (int width : widths) {
          kind.measure(binary, size, width);
          out.flush();
        }
      }
    }
  }

  /** What is done with each kind of window. */
  interface Kind {
    void measure(boolean binary, int rows, int width) throws Exception;
  }
}
