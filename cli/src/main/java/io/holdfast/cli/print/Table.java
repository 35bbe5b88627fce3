package io.holdfast.cli.print;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Text in aligned columns: the first to the left, the others to the right unless all are words. */
public final class Table {
  private final List<List<String>> lines = new ArrayList<>();

  private final boolean words;

  public Table(String... header) {
    this(false, header);
  }

  public Table(boolean words, String... header) {
    this.words = words;
    lines.add(List.of(header));
  }

  public Table(List<String> header) {
    this(header.toArray(String[]::new));
  }

  public Table line(Object... cells) {
    return line(List.of(cells));
  }

  public Table line(List<?> cells) {
    lines.add(cells.stream().map(String::valueOf).toList());
    return this;
  }

  /** A figure to four decimals, as tables show it. */
  public static String figure(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4f", value);
  }

  @Override
  public String toString() {
    int[] widths = new int[lines.getFirst().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - line.get(i).length());
        row.append(i == 0 ? "" : "  ");
        row.append(i == 0 || words ? line.get(i) + padding : padding + line.get(i));
      }
      if (!row.toString().isBlank()) {
        text.append(row.toString().stripTrailing()).append(System.lineSeparator());
      }
    }
    return text.toString();
  }
}
