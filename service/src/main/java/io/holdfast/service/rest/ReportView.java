package io.holdfast.service.rest;

import io.holdfast.schemas.ColumnName;
import io.holdfast.schemas.avro.CalibrationBin;
import io.holdfast.schemas.avro.ComparedEnvironment;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.FeatureDrift;
import io.holdfast.schemas.avro.GateReport;
import io.holdfast.schemas.avro.LevelCoverage;
import io.holdfast.schemas.avro.WindowReport;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A window report as the trainer wrote it; figures that are not finite are null.
 *
 * @param gate what the new version was held against; null if nothing was compared
 * @param shadow the version that shadows against what was served; null if none shadows
 * @param drift how the window differs from what came before; null if it was not looked for
 * @param expected what the served scores made one expect; null if nothing could be said
 * @param reason why the loss rose; null if it is not shown to have
 * @param calibration what scores predicted and labels showed, in ascending order of predictions
 * @param coverage how often labels were within scores' bounds, by level; empty without bounds
 */
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
    Instant at,
    @Nullable Long tipVersion,
    @Nullable Gate gate,
    @Nullable Comparison shadow,
    @Nullable Drift drift,
    @Nullable Expected expected,
    @Nullable ReasonView reason,
    List<Bin> calibration,
    List<Coverage> coverage) {

  /** The same figures for one environment. */
  @Serdeable
  public record Environment(
      String environment,
      long rows,
      @Nullable Double loss,
      @Nullable Double constantLoss,
      Map<String, @Nullable Double> metrics,
      List<Bin> calibration,
      List<Coverage> coverage) {}

  /** Rows of like predictions: their means, of predictions and of labels. */
  @Serdeable
  public record Bin(long rows, @Nullable Double predicted, @Nullable Double observed) {}

  /**
   * What came of the promise to be within bounds so often: the share of rows that were, and how far
   * bounds were apart, or how many classes were in a set.
   */
  @Serdeable
  public record Coverage(double level, long rows, double kept, @Nullable Double width) {}

  /** Whether a new version was let through, by which margin, and the two losses. */
  @Serdeable
  public record Gate(boolean passed, double margin, Comparison comparison) {}

  /** Two ways to score the same labelled rows; {@code against} is null for what served each. */
  @Serdeable
  public record Comparison(
      long version,
      @Nullable Long against,
      long rows,
      @Nullable Double loss,
      @Nullable Double againstLoss,
      List<Compared> environments) {}

  /** The same for one environment. */
  @Serdeable
  public record Compared(
      String environment, long rows, @Nullable Double loss, @Nullable Double againstLoss) {}

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
        report.getAt(),
        report.getTipVersion(),
        gate(report.getGate()),
        comparison(report.getShadow()),
        drift(report.getDrift()),
        expected(report.getExpected()),
        ReasonView.of(report.getReason()),
        bins(report.getCalibration()),
        coverage(report.getCoverage()));
  }

  /**
   * What to expect, by metric; {@code uncorrected} is what scores alone say of themselves.
   *
   * @param low what it comes to be at least, in 95 of 100 windows in which features alone changed
   * @param doubt why it is worth little; null if nothing speaks against it
   */
  @Serdeable
  public record Expected(
      Map<String, @Nullable Double> metrics,
      Map<String, @Nullable Double> uncorrected,
      long labelledRows,
      Map<String, @Nullable Double> low,
      Map<String, @Nullable Double> high,
      @Nullable String doubt) {}

  private static @Nullable Expected expected(@Nullable ExpectedReport expected) {
    return expected == null
        ? null
        : new Expected(
            Figures.finite(expected.getMetrics()),
            Figures.finite(expected.getUncorrected()),
            expected.getLabelledRows(),
            Figures.finite(expected.getLow()),
            Figures.finite(expected.getHigh()),
            expected.getDoubt());
  }

  /** How the window differs from what came before. */
  @Serdeable
  public record Drift(
      int tests,
      List<String> alarms,
      boolean lossRisen,
      boolean lossRisenByPageHinkley,
      @Nullable Long rowsSinceRise,
      List<String> newEnvironments,
      List<Shift> features) {}

  /** A feature, or the label if that is empty, in an environment, or in all rows if that is. */
  @Serdeable
  public record Shift(
      String environment,
      String feature,
      @Nullable Double psi,
      @Nullable Double ks,
      @Nullable Double p,
      boolean alarm) {}

  private static @Nullable Drift drift(@Nullable DriftReport drift) {
    return drift == null
        ? null
        : new Drift(
            drift.getTests(),
            drift.getAlarms(),
            drift.getLossRisen(),
            drift.getLossRisenByPageHinkley(),
            drift.getRowsSinceRise(),
            drift.getNewEnvironments(),
            drift.getFeatures().stream().map(ReportView::shift).toList());
  }

  private static Shift shift(FeatureDrift drift) {
    return new Shift(
        drift.getEnvironment(),
        ColumnName.of(drift.getFeature()),
        Figures.finite(drift.getPsi()),
        Figures.finite(drift.getKs()),
        Figures.finite(drift.getP()),
        drift.getAlarm());
  }

  private static @Nullable Gate gate(@Nullable GateReport gate) {
    return gate == null
        ? null
        : new Gate(gate.getPassed(), gate.getMargin(), of(gate.getComparison()));
  }

  private static @Nullable Comparison comparison(
      io.holdfast.schemas.avro.@Nullable Comparison comparison) {
    return comparison == null ? null : of(comparison);
  }

  private static Comparison of(io.holdfast.schemas.avro.Comparison comparison) {
    return new Comparison(
        comparison.getVersion(),
        comparison.getAgainst(),
        comparison.getRows(),
        Figures.finite(comparison.getLoss()),
        Figures.finite(comparison.getAgainstLoss()),
        comparison.getEnvironments().stream().map(ReportView::compared).toList());
  }

  private static Compared compared(ComparedEnvironment environment) {
    return new Compared(
        environment.getEnvironment(),
        environment.getRows(),
        Figures.finite(environment.getLoss()),
        Figures.finite(environment.getAgainstLoss()));
  }

  private static Environment environment(EnvironmentReport report) {
    return new Environment(
        report.getEnvironment(),
        report.getRows(),
        Figures.finite(report.getLoss()),
        Figures.finite(report.getConstantLoss()),
        Figures.finite(report.getMetrics()),
        bins(report.getCalibration()),
        coverage(report.getCoverage()));
  }

  private static List<Bin> bins(List<CalibrationBin> bins) {
    return bins.stream()
        .map(
            bin ->
                new Bin(
                    bin.getRows(),
                    Figures.finite(bin.getPredicted()),
                    Figures.finite(bin.getObserved())))
        .toList();
  }

  private static List<Coverage> coverage(List<LevelCoverage> levels) {
    return levels.stream()
        .map(
            one ->
                new Coverage(
                    one.getLevel(), one.getRows(), one.getKept(), Figures.finite(one.getWidth())))
        .toList();
  }
}
