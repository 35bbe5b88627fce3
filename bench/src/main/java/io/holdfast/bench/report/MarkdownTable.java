package io.holdfast.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table in Markdown, as docs/benchmarks.md has them. Not thread-safe. */
public final class MarkdownTable {
  private final List<String> lines = new ArrayList<>();
  private final int columns;

  public MarkdownTable(String... header) {
    this(List.of(header));
  }

  /** A table with a header as Markdown has it, but for the first and last bar. */
  public static MarkdownTable headed(String header) {
    return new MarkdownTable(header.split(" \\| ", -1));
  }

  public MarkdownTable(List<String> header) {
    columns = header.size();
    add(header);
    lines.add("|---".repeat(columns) + "|");
  }

  /** Adds a line, which must have as many cells as the header. */
  public MarkdownTable add(String... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(
          "a line must have " + columns + " cells, as the header has: " + cells.length);
    }
    lines.add(line(cells));
    return this;
  }

  public MarkdownTable add(List<String> cells) {
    return add(cells.toArray(String[]::new));
  }

  /** One line by itself, for figures that are printed as they come. */
  public static String line(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  /** A whole number, with commas between thousands. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A figure of four significant digits, without an exponent. */
  public static String figure(double value) {
    if (!Double.isFinite(value) || value == 0) {
      return Double.isNaN(value) ? "-" : value == 0 ? "0" : Double.toString(value);
    }
    int whole = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
    return String.format(Locale.ROOT, "%." + Math.clamp(4 - whole, 0, 8) + "f", value);
  }

  /** How far {@code value} is from {@code reference}, in per cent of it, signed. */
  public static String change(double value, double reference) {
    return percent(value / reference - 1);
  }

  /** A share, signed, in per cent with two decimals. */
  public static String percent(double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%+.2f%%", 100 * share);
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
