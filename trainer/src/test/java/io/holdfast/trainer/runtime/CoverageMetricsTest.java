package io.holdfast.trainer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.schemas.avro.WindowReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Gauges tell the newest window, of no more environments than there may be. */
class CoverageMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CoverageMetrics metrics = new CoverageMetrics(registry, "m");

  private static WindowReport report(List<String> environments, double kept) {
    List<LevelCoverage> coverage = List.of(new LevelCoverage(0.9, 10L, kept, 2.5));
    List<EnvironmentReport> reports = new ArrayList<>();
    environments.forEach(
        name ->
            reports.add(new EnvironmentReport(name, 10L, 1.0, 1.0, Map.of(), List.of(), coverage)));
    return WindowReport.newBuilder()
        .setFormat(6)
        .setModel("m")
        .setWindow(1)
        .setRanges(List.of())
        .setRows(10)
        .setUnusable(Map.of())
        .setServedVersions(List.of())
        .setLoss(1)
        .setConstantLoss(1)
        .setMetrics(Map.of())
        .setEnvironments(reports)
        .setPublishedVersion(null)
        .setDecision("")
        .setTreesAppended(0)
        .setTreesTotal(0)
        .setTrainingMillis(0)
        .setAt(Instant.EPOCH)
        .setCalibration(List.of())
        .setCoverage(environments.isEmpty() ? List.of() : coverage)
        .build();
  }

  private double gauge(String name, String environment) {
    return registry
        .get("holdfast.trainer." + name)
        .tags("model", "m", "level", "0.9", "environment", environment)
        .gauge()
        .value();
  }

  @Test
  void newestWindow_isTold_andWhatItHasNothingOfIsNan() {
    metrics.show(report(List.of("a", "b"), 0.8));
    assertThat(gauge("coverage", "a")).isEqualTo(0.8);
    assertThat(gauge("coverage.width", "(all)")).isEqualTo(2.5);
    metrics.show(report(List.of("b"), 0.95));
    assertThat(gauge("coverage", "a")).isNaN();
    assertThat(gauge("coverage", "b")).isEqualTo(0.95);
    metrics.show(report(List.of(), 0));
    assertThat(gauge("coverage", "(all)")).isNaN();
  }

  @Test
  void environments_withoutEnd_makeNoMoreThanSoManySeries() {
    for (int window = 0; window < 40; window++) {
      metrics.show(report(List.of("x" + 2 * window, "x" + (2 * window + 1)), 0.9));
    }
    assertThat(registry.getMeters()).hasSize(2 * (CoverageMetrics.ENVIRONMENTS + 1));
  }
}
