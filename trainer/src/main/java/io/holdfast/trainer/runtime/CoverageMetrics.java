package io.holdfast.trainer.runtime;

import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.schemas.avro.WindowReport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How often labels of the newest window were within what scores had promised, and how wide that
 * was, by level and environment. Owned by the model's thread.
 */
final class CoverageMetrics {
  /** Of all rows; no name of an environment that is read from a field is likely to be this. */
  static final String ALL = "(all)";

  static final int ENVIRONMENTS = 50; // the first that come, beside all rows

  private static final String PREFIX = "holdfast.trainer.";

  private final MeterRegistry registry;
  private final String model;
  private final Set<String> environments = new HashSet<>();
  private final Map<Series, AtomicReference<Double>> held = new HashMap<>();

  private record Series(String name, double level, String environment) {}

  CoverageMetrics(MeterRegistry registry, String model) {
    this.registry = registry;
    this.model = model;
  }

  /** What of this the window has no rows of, is NaN. */
  void show(WindowReport report) {
    held.values().forEach(figure -> figure.set(Double.NaN));
    show(ALL, report.getCoverage());
    for (EnvironmentReport own : report.getEnvironments()) {
      String name = own.getEnvironment();
      if (own.getCoverage().isEmpty()
          || (environments.size() >= ENVIRONMENTS && !environments.contains(name))) {
        continue;
      }
      environments.add(name);
      show(name, own.getCoverage());
    }
  }

  private void show(String environment, List<LevelCoverage> levels) {
    for (LevelCoverage of : levels) {
      figure(
              new Series("coverage", of.getLevel(), environment),
              "Share of the newest window's labels within what their scores promised")
          .set(of.getKept());
      figure(
              new Series("coverage.width", of.getLevel(), environment),
              "Mean width of the newest window's bounds, or size of its sets of classes")
          .set(of.getWidth());
    }
  }

  private AtomicReference<Double> figure(Series series, String description) {
    return held.computeIfAbsent(
        series,
        of -> {
          var figure = new AtomicReference<>(Double.NaN);
          Gauge.builder(PREFIX + of.name, figure, AtomicReference::get)
              .description(description)
              .tag("model", model)
              .tag("level", Double.toString(of.level))
              .tag("environment", of.environment)
              .strongReference(true)
              .register(registry);
          return figure;
        });
  }
}
