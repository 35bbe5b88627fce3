package io.holdfast.service.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.service.score.LiveExpectation;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveFiguresTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void accuracy_isWhatScoresSay_correctedAsTheNewestReportWas() {
    said("accuracy", 0.9);
    WindowReport corrected = report(Map.of("accuracy", 0.7), Map.of("accuracy", 0.85));

    assertThat(LiveFigures.of(said("odds"), List.of())).containsEntry("accuracy", 0.9);
    assertThat(LiveFigures.of(said("odds"), List.of(corrected, report(null, Map.of()))))
        .hasEntrySatisfying("accuracy", value -> assertThat(value).isEqualTo(0.75, within(1e-12)));
    assertThat(LiveFigures.of(said("bikes"), List.of(corrected))).isEmpty();
  }

  @Test
  void errors_areCorrectedByAFactor_andFiguresStayPossible() {
    said("rmse", 3);
    said("logLoss", 0.1);

    Map<String, Double> figures =
        LiveFigures.of(
            said("odds"),
            List.of(
                report(Map.of("rmse", 4.0, "logLoss", 0.2), Map.of("rmse", 2.0, "logLoss", 0.6))));

    assertThat(figures).containsEntry("rmse", 6.0).containsEntry("logLoss", 0.0);
  }

  @Test
  void figure_beforeTheFirstScore_isLeftOut() {
    said("accuracy", Double.NaN);
    assertThat(LiveFigures.of(said("odds"), List.of())).isEmpty();
  }

  private Stream<Gauge> said(String model) {
    return ModelMeters.of(meters, model).gauges(LiveExpectation.NAME);
  }

  private void said(String metric, double value) {
    Gauge.builder(LiveExpectation.NAME, () -> value)
        .tag("model", "odds")
        .tag("metric", metric)
        .register(meters);
  }

  private static WindowReport report(
      @Nullable Map<String, Double> metrics, Map<String, Double> uncorrected) {
    return WindowReport.newBuilder()
        .setFormat(4)
        .setModel("odds")
        .setWindow(1)
        .setRanges(List.of())
        .setRows(10)
        .setUnusable(Map.of())
        .setServedVersions(List.of(0L))
        .setLoss(1.5)
        .setConstantLoss(2)
        .setMetrics(Map.of())
        .setEnvironments(List.of())
        .setPublishedVersion(null)
        .setDecision("learned")
        .setTreesAppended(10)
        .setTreesTotal(10)
        .setTrainingMillis(5)
        .setAt(Instant.EPOCH)
        .setExpected(
            metrics == null
                ? null
                : new ExpectedReport(metrics, uncorrected, 40L, Map.of(), Map.of(), null, null))
        .build();
  }
}
