package io.holdfast.cli.report;

import io.holdfast.cli.print.Table;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.WindowReport;
import java.util.List;

/** What drifted, window by window, as people read it. Stateless. */
public final class DriftTable {
  private static final int MOST_WINDOWS = 20;

  private DriftTable() {}

  /** How many rows there were up to the end of each window. */
  public static long[] ends(List<WindowReport> windows) {
    long[] ends = new long[windows.size()];
    long rows = 0;
    for (int k = 0; k < ends.length; k++) {
      rows += windows.get(k).getRows();
      ends[k] = rows;
    }
    return ends;
  }

  /** Why the loss rose, window by window; empty if it did not. */
  public static String reasons(List<WindowReport> windows) {
    long[] ends = ends(windows);
    Table table = new Table(true, "window", "up to row", "why the loss rose");
    int said = 0;
    for (int k = 0; k < ends.length; k++) {
      ReasonReport reason = windows.get(k).getReason();
      if (reason != null && said++ < MOST_WINDOWS) {
        table.line("" + windows.get(k).getWindow(), "" + ends[k], reason.getSentence());
      }
    }
    String more =
        said > MOST_WINDOWS
            ? Sentence.of("These are the first %d of %d; --json has all.%n", MOST_WINDOWS, said)
            : "";
    return said == 0 ? "" : table + more;
  }

  /** A sentence, and the alarms if there are any; empty if drift was not looked for. */
  public static String of(List<WindowReport> windows) {
    if (windows.stream().allMatch(window -> window.getDrift() == null)) {
      return "";
    }
    long[] ends = ends(windows);
    Table table = new Table(true, "window", "up to row", "drift");
    int compared = 0;
    int alarming = 0;
    for (int k = 0; k < ends.length; k++) {
      WindowReport window = windows.get(k);
      if (window.getDrift() == null) {
        continue;
      }
      compared += window.getDrift().getTests() > 0 ? 1 : 0;
      List<String> alarms = window.getDrift().getAlarms();
      alarming += alarms.isEmpty() ? 0 : 1;
      for (int line = 0; line < alarms.size() && alarming <= MOST_WINDOWS; line++) {
        table.line(
            line == 0 ? "" + window.getWindow() : "",
            line == 0 ? "" + ends[k] : "",
            alarms.get(line));
      }
    }
    String sentence =
        Sentence.of(
            "Features and labels were compared with earlier ones %d times, and losses and"
                + " environments looked at; %s.",
            compared,
            alarming == 0
                ? "nothing drifted"
                : alarming == 1 ? "one window raised alarms" : alarming + " windows raised alarms");
    String more =
        alarming > MOST_WINDOWS
            ? Sentence.of("These are the first %d of them; --json has all.%n", MOST_WINDOWS)
            : "";
    return sentence + System.lineSeparator() + (alarming == 0 ? "" : table) + more;
  }
}
