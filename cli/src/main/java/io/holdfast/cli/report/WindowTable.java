package io.holdfast.cli.report;

import io.holdfast.cli.print.Table;
import io.holdfast.schemas.avro.WindowReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Windows as people read them: what was served, against the constant model. Many are merged to
 * stretches of about as many rows each, with means by rows. Stateless.
 */
public final class WindowTable {
  /** Lines of a table of stretches at most. */
  public static final int LINES = 30;

  /** Figures whose mean over windows says little of their rows. */
  private static final Set<String> NO_MEANS = Set.of("auc");

  /** Figures that are roots: their squares have means. */
  private static final Set<String> ROOTS = Set.of("rmse");

  private WindowTable() {}

  public static Table of(List<WindowReport> windows) {
    return table(windows, windows.stream().map(List::of).toList());
  }

  public static Table inStretches(List<WindowReport> windows) {
    return table(windows, stretches(windows));
  }

  private static Table table(List<WindowReport> windows, List<List<WindowReport>> lines) {
    boolean merged = lines.size() < windows.size();
    var metrics = new TreeSet<String>();
    windows.forEach(window -> metrics.addAll(window.getMetrics().keySet()));
    metrics.removeIf(metric -> metric.startsWith("recall_")); // one a class: too many for a line
    metrics.removeAll(merged ? NO_MEANS : Set.of());
    String expected = expected(windows);
    List<String> header =
        new ArrayList<>(
            List.of(merged ? "windows" : "window", "rows", "served by", "loss", "constant"));
    header.addAll(metrics);
    if (!expected.isEmpty()) {
      header.add("expected " + expected);
    }
    header.add("trees after");
    Table table = new Table(header);
    for (List<WindowReport> line : lines) {
      List<String> cells = new ArrayList<>();
      cells.add(range("", List.of(line.getFirst().getWindow(), line.getLast().getWindow())));
      cells.add(String.valueOf(rows(line)));
      cells.add(range("v", served(line)));
      cells.add(mean(line, "loss", WindowReport::getLoss));
      cells.add(mean(line, "constant", WindowReport::getConstantLoss));
      for (String metric : metrics) {
        cells.add(
            mean(line, metric, window -> window.getMetrics().getOrDefault(metric, Double.NaN)));
      }
      if (!expected.isEmpty()) {
        cells.add(mean(line, expected, window -> expected(window, expected)));
      }
      cells.add(String.valueOf(line.getLast().getTreesTotal()));
      table.line(cells);
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

  private static List<Long> served(List<WindowReport> windows) {
    var versions = new TreeSet<Long>();
    windows.forEach(window -> versions.addAll(window.getServedVersions()));
    return List.copyOf(versions);
  }

  /** For example {@code v3} or {@code v3-v5}. */
  private static String range(String prefix, List<Long> ascending) {
    if (ascending.isEmpty()) {
      return "-";
    }
    String first = prefix + ascending.getFirst();
    String last = prefix + ascending.getLast();
    return first.equals(last) ? first : first + "-" + last;
  }

  /** The figure that people look at first, of those that were expected; empty if none was. */
  private static String expected(List<WindowReport> windows) {
    for (String figure : List.of("accuracy", "rmse")) {
      if (windows.stream().anyMatch(window -> !Double.isNaN(expected(window, figure)))) {
        return figure;
      }
    }
    return "";
  }

  private static double expected(WindowReport window, String figure) {
    return window.getExpected() == null
        ? Double.NaN
        : window.getExpected().getMetrics().getOrDefault(figure, Double.NaN);
  }

  /** By rows, of those windows that have the figure. */
  private static String mean(
      List<WindowReport> windows, String name, ToDoubleFunction<WindowReport> figure) {
    boolean root = ROOTS.contains(name);
    double sum = 0;
    long rows = 0;
    for (WindowReport window : windows) {
      double value = figure.applyAsDouble(window);
      if (!Double.isNaN(value)) {
        sum += window.getRows() * (root ? value * value : value);
        rows += window.getRows();
      }
    }
    return Table.figure(root ? StrictMath.sqrt(sum / rows) : sum / rows);
  }
}
