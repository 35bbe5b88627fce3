package io.holdfast.service.rest;

import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.service.score.LiveExpectation;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the newest scores make one expect before their labels come: what they say of themselves, as
 * far as the newest report's labels found that right. Stateless.
 */
final class LiveFigures {
  private LiveFigures() {}

  /** By name, from {@code reports}, oldest first; empty if the scores say nothing of themselves. */
  static Map<String, Double> of(MeterRegistry meters, String model, List<WindowReport> reports) {
    Map<String, Double> figures = new TreeMap<>();
    for (Gauge gauge : meters.find(LiveExpectation.NAME).tag("model", model).gauges()) {
      String metric = gauge.getId().getTag("metric");
      double said = gauge.value();
      if (metric != null && Double.isFinite(said)) {
        figures.put(metric, corrected(metric, said, reports));
      }
    }
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
