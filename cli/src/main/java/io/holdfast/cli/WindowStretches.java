package io.holdfast.cli;

import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.WindowReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Many windows as a table that a person can read: in stretches of consecutive windows, of about as
 * many rows each. A stretch's figures are the means of its windows', by their rows. Stateless.
 */
final class WindowStretches {
  /** Lines at most. */
  static final int LINES = 30;

  /** Figures whose mean over windows is not that of their rows, or close to it. */
  private static final Set<String> NO_MEANS = Set.of("auc");

  /** Figures that are roots: their squares have means. */
  private static final Set<String> ROOTS = Set.of("rmse");

  private WindowStretches() {}

  /** At most {@link #LINES} lines for any number of windows. */
  static Table table(List<WindowReport> windows) {
    var metrics = new TreeSet<String>();
    windows.forEach(window -> metrics.addAll(window.getMetrics().keySet()));
    metrics.removeAll(NO_MEANS);
    List<String> header =
        new ArrayList<>(List.of("windows", "rows", "served by", "loss", "constant"));
    header.addAll(metrics);
    String expected = Reports.expected(windows);
    if (!expected.isEmpty()) {
      header.add("expected " + expected);
    }
    header.add("trees after");
    Table table = new Table(header.toArray(String[]::new));
    for (List<WindowReport> stretch : stretches(windows)) {
      List<String> cells = new ArrayList<>();
      cells.add(stretch.getFirst().getWindow() + "-" + stretch.getLast().getWindow());
      cells.add(String.valueOf(rows(stretch)));
      cells.add(Reports.versions(served(stretch)));
      cells.add(Table.figure(mean(stretch, "loss", WindowReport::getLoss)));
      cells.add(Table.figure(mean(stretch, "constant", WindowReport::getConstantLoss)));
      for (String metric : metrics) {
        cells.add(
            Table.figure(
                mean(
                    stretch,
                    metric,
                    window -> window.getMetrics().getOrDefault(metric, Double.NaN))));
      }
      if (!expected.isEmpty()) {
        cells.add(
            Table.figure(mean(stretch, expected, window -> Reports.expected(window, expected))));
      }
      cells.add(String.valueOf(stretch.getLast().getTreesTotal()));
      table.line(cells.toArray(String[]::new));
    }
    return table;
  }

  private static List<List<WindowReport>> stretches(List<WindowReport> windows) {
    long all = rows(windows);
    List<List<WindowReport>> stretches = new ArrayList<>();
    long taken = 0;
    int from = 0;
    for (int to = 1; to <= windows.size(); to++) {
      taken += windows.get(to - 1).getRows();
      boolean full = taken * LINES >= all * (stretches.size() + 1);
      boolean last = to == windows.size();
      if (last || (full && stretches.size() < LINES - 1)) {
        stretches.add(windows.subList(from, to));
        from = to;
      }
    }
    return stretches;
  }

  private static long rows(List<WindowReport> windows) {
    return windows.stream().mapToLong(WindowReport::getRows).sum();
  }

  private static List<Long> served(List<WindowReport> stretch) {
    var versions = new TreeSet<Long>();
    stretch.forEach(window -> versions.addAll(window.getServedVersions()));
    return List.copyOf(versions);
  }

  /** By rows, of those windows that have the figure. */
  private static double mean(
      List<WindowReport> stretch, String name, ToDoubleFunction<WindowReport> figure) {
    boolean root = ROOTS.contains(name);
    double sum = 0;
    long rows = 0;
    for (WindowReport window : stretch) {
      double value = figure.applyAsDouble(window);
      if (!Double.isNaN(value)) {
        sum += window.getRows() * (root ? value * value : value);
        rows += window.getRows();
      }
    }
    return root ? StrictMath.sqrt(sum / rows) : sum / rows;
  }
}
