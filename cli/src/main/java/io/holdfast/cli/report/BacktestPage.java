package io.holdfast.cli.report;

import io.holdfast.cli.print.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The page of a backtest or shift: one file that needs nothing beside itself. Stateless. */
public final class BacktestPage {
  private static final String DASHBOARD = "/io/holdfast/service/dashboard/";
  private static final String REPORT = "/io/holdfast/cli/report/";

  private BacktestPage() {}

  public static String of(String name, Object result) {
    // Within a script element only "</script" and "<!--" end or change what is read: no < is left.
    String data = Json.line(result).replace("<", "\\u003c");
    return text(REPORT + name + ".html")
        .replace(
            "{{styles}}",
            text(DASHBOARD + "uplot/uPlot.min.css")
                + text(DASHBOARD + "dashboard.css")
                + text(REPORT + "backtest.css"))
        .replace("{{uplot}}", text(DASHBOARD + "uplot/uPlot.iife.min.js"))
        .replace("{{script}}", text(REPORT + name + ".js"))
        .replace("{{data}}", data); // last: what it says is not looked at again
  }

  private static String text(String resource) {
    try (InputStream in = BacktestPage.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own file cannot be read: " + resource, e);
    }
  }
}
