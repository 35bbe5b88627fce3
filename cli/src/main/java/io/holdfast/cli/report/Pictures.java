package io.holdfast.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.report.Chart.Line;
import io.holdfast.cli.report.Chart.Lines;
import io.holdfast.cli.report.Chart.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** What pages of models and of backtests both draw, from JSON. Stateless. */
public final class Pictures {
  private Pictures() {}

  /** The figure that people look at first. */
  public static String metric(JsonNode metrics) {
    for (String metric : List.of("accuracy", "rmse")) {
      if (metrics.path(metric).isNumber()) {
        return metric;
      }
    }
    return "loss";
  }

  /** An environment's name; rows without one have none. */
  public static String name(String environment) {
    return environment.isEmpty() ? "(none)" : environment;
  }

  /** A section with what was predicted against what came, a chart a model. */
  public static void calibration(Page page, List<String> names, List<JsonNode> models) {
    if (models.stream().allMatch(JsonNode::isEmpty)) {
      return;
    }
    page.section(
        "Calibration",
        "Rows in groups of like predictions: what came in the mean against what was predicted. On"
            + " the dashed line both agree; the band holds what came in 95 of 100.");
    page.grid(
        () -> {
          for (int k = 0; k < models.size(); k++) {
            if (!models.get(k).isEmpty()) {
              page.chart(reliability(names.get(k), models.get(k)));
            }
          }
        });
  }

  private static Chart reliability(String name, JsonNode groups) {
    List<Double> predicted = values(groups, "predicted");
    return new Lines(
        "Calibration of " + name,
        "what came",
        "predicted",
        predicted,
        List.of(
            new Line(
                "came",
                Look.DOTS,
                values(groups, "observed"),
                values(groups, "lower"),
                values(groups, "upper")),
            new Line("as predicted", Look.BASELINE, predicted)));
  }

  static List<Double> values(JsonNode objects, String figure) {
    List<Double> values = new ArrayList<>();
    objects.forEach(one -> values.add(one.path(figure).asDouble(Double.NaN)));
    return values;
  }

  static List<Double> numbers(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .map(one -> one.asDouble(Double.NaN))
        .toList();
  }
}
