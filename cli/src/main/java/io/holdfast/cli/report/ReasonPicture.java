package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Chart.Bar;
import io.holdfast.cli.report.Chart.Bars;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/** Why losses rose, window by window, drawn from JSON. Stateless. */
final class ReasonPicture {
  private static final int MOST_BARS = 12;

  private ReasonPicture() {}

  /** The windows whose loss rose. */
  static List<JsonNode> windows(JsonNode model) {
    return StreamSupport.stream(model.path("windows").spliterator(), false)
        .filter(window -> window.path("reason").isObject())
        .toList();
  }

  static List<List<Object>> sentences(JsonNode model) {
    List<List<Object>> sentences = new ArrayList<>();
    for (JsonNode window : windows(model)) {
      sentences.add(
          List.of(
              window.path("window").asText(),
              Page.number(window.path("upToRow").asLong()),
              window.at("/reason/sentence").asText()));
    }
    return sentences;
  }

  /** The parts, the subgroup and the environments of the window whose loss rose most. */
  static Chart of(String name, JsonNode model) {
    JsonNode window =
        windows(model).stream()
            .max(Comparator.comparingDouble(each -> each.at("/reason/rise/value").asDouble()))
            .orElseThrow();
    JsonNode reason = window.path("reason");
    List<Bar> bars = new ArrayList<>();
    add(bars, "all", reason.path("rise"));
    add(bars, "other features", reason.path("features"));
    add(bars, "labels given the features", reason.path("labels"));
    if (!reason.path("change").asText().equals("FEATURES")) {
      List<String> conditions = new ArrayList<>();
      reason.at("/subgroup/conditions").forEach(each -> conditions.add(each.asText()));
      add(bars, "rows with " + String.join(" and ", conditions), reason.at("/subgroup/effect"));
    }
    for (JsonNode each : reason.path("environments")) {
      if (reason.path("environments").size() > 1 && bars.size() < MOST_BARS) {
        String environment = Pictures.name(each.path("environment").asText());
        add(bars, "environment " + environment, each.path("rise"));
      }
    }
    return new Bars(
        name + ", window " + window.path("window").asText(), "rise of the loss", true, bars);
  }

  private static void add(List<Bar> bars, String name, JsonNode interval) {
    if (interval.isObject()) {
      bars.add(
          new Bar(
              name,
              interval.path("value").asDouble(),
              interval.path("low").asDouble(),
              interval.path("high").asDouble()));
    }
  }
}
