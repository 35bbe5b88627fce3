package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Chart.Line;
import io.holdfast.cli.report.Chart.Lines;
import io.holdfast.cli.report.Chart.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** What drifted by window, drawn from JSON. Stateless. */
final class DriftPicture {
  private static final int MOST_POINTS = 250;

  private DriftPicture() {}

  /** The windows that were compared with what came before. */
  static List<JsonNode> windows(JsonNode model) {
    return StreamSupport.stream(model.path("windows").spliterator(), false)
        .filter(window -> !window.at("/drift/features").isEmpty())
        .toList();
  }

  /** The largest index of each window; of many windows the largest of several. */
  static Chart of(String name, JsonNode model) {
    List<JsonNode> windows = windows(model);
    int each = (windows.size() + MOST_POINTS - 1) / MOST_POINTS;
    List<Double> rows = new ArrayList<>();
    List<Double> largest = new ArrayList<>();
    for (int from = 0; from < windows.size(); from += each) {
      double most = 0;
      var some = windows.subList(from, Math.min(windows.size(), from + each));
      for (JsonNode window : some) {
        for (JsonNode drifted : window.at("/drift/features")) {
          most = Math.max(most, drifted.path("psi").asDouble());
        }
      }
      rows.add(some.getLast().path("upToRow").asDouble());
      largest.add(most);
    }
    return new Lines(
        "Drift seen by " + name,
        "largest index of a window",
        "rows",
        rows,
        List.of(new Line("stability index", Look.SOLID, largest)));
  }

  static List<List<Object>> alarms(JsonNode model) {
    List<List<Object>> alarms = new ArrayList<>();
    for (JsonNode window : windows(model)) {
      List<String> said = new ArrayList<>();
      window.at("/drift/alarms").forEach(one -> said.add(one.asText()));
      if (!said.isEmpty()) {
        alarms.add(
            List.of(
                window.path("window").asText(),
                Page.number(window.path("upToRow").asLong()),
                String.join(" ", said)));
      }
    }
    return alarms;
  }
}
