package io.holdfast.service.rest;

import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.WindowReport;
import io.micrometer.core.instrument.Gauge;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the newest scores make one expect before their labels come: what they say of themselves, as
 * far as the newest report's labels found that right. Stateless.
 */
final class LiveFigures {
  private LiveFigures() {}

  /**
   * By name; empty if the scores say nothing of themselves.
   *
   * @param said the model's gauges of {@link io.holdfast.service.score.LiveExpectation}
   * @param reports oldest first
   */
  static Map<String, Double> of(Stream<Gauge> said, List<WindowReport> reports) {
    Map<String, Double> figures = new TreeMap<>();
    said.forEach(
        gauge -> {
          String metric = gauge.getId().getTag("metric");
          double value = gauge.value();
          if (metric != null && Double.isFinite(value)) {
            figures.put(metric, corrected(metric, value, reports));
          }
        });
    return figures;
  }

  private static double corrected(String metric, double said, List<WindowReport> reports) {
    for (WindowReport report : reports.reversed()) {
      ExpectedReport expected = report.getExpected();
      Double before = expected == null ? null : expected.getUncorrected().get(metric);
      Double after = expected == null ? null : expected.getMetrics().get(metric);
      if (before != null && after != null) {
        return switch (metric) {
          case "rmse" -> before > 0 ? said * after / before : said;
          case "accuracy" -> Math.clamp(said + after - before, 0, 1);
          default -> Math.max(0, said + after - before);
        };
      }
    }
    return said;
  }
}
