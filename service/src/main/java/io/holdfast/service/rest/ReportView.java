package io.holdfast.service.rest;

import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.WindowReport;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A window report as the trainer wrote it; figures that are not finite are null. */
@Serdeable
public record ReportView(
    long window,
    long rows,
    Map<String, Long> unusable,
    List<Long> servedVersions,
    @Nullable Double loss,
    @Nullable Double constantLoss,
    Map<String, @Nullable Double> metrics,
    List<Environment> environments,
    @Nullable Long publishedVersion,
    String decision,
    int treesAppended,
    int treesTotal,
    long trainingMillis,
    Instant at) {

  /** The same figures for one environment. */
  @Serdeable
  public record Environment(
      String environment,
      long rows,
      @Nullable Double loss,
      @Nullable Double constantLoss,
      Map<String, @Nullable Double> metrics) {}

  static ReportView of(WindowReport report) {
    return new ReportView(
        report.getWindow(),
        report.getRows(),
        report.getUnusable(),
        report.getServedVersions(),
        Figures.finite(report.getLoss()),
        Figures.finite(report.getConstantLoss()),
        Figures.finite(report.getMetrics()),
        report.getEnvironments().stream().map(ReportView::environment).toList(),
        report.getPublishedVersion(),
        report.getDecision(),
        report.getTreesAppended(),
        report.getTreesTotal(),
        report.getTrainingMillis(),
        report.getAt());
  }

  private static Environment environment(EnvironmentReport report) {
    return new Environment(
        report.getEnvironment(),
        report.getRows(),
        Figures.finite(report.getLoss()),
        Figures.finite(report.getConstantLoss()),
        Figures.finite(report.getMetrics()));
  }
}
