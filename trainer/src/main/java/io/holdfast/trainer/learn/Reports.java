package io.holdfast.trainer.learn;

import io.holdfast.schemas.avro.Comparison;
import io.holdfast.schemas.avro.DriftReport;
import io.holdfast.schemas.avro.EnvironmentReport;
import io.holdfast.schemas.avro.ExpectedReport;
import io.holdfast.schemas.avro.FeatureDrift;
import io.holdfast.schemas.avro.GateReport;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.WindowReport;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import io.holdfast.trainer.drift.DriftFindings;
import io.holdfast.trainer.evaluate.HeldOutGate;
import io.holdfast.trainer.evaluate.Prequential;
import io.holdfast.trainer.policy.TrainingRun;
import io.holdfast.trainer.strength.GammaSchedule;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes a window's report. Stateless. */
final class Reports {
  private static final int FORMAT = 7;
  private static final int WITHOUT_RANGES = 6;
  private static final int WITHOUT_REASON_AND_COVERAGE = 5;
  private static final MathContext SIX_DIGITS = new MathContext(6);

  private Reports() {}

  /**
   * What was found out about a window.
   *
   * @param prequential null if the window has no usable row; losses are NaN then
   * @param expected the metrics to expect; null if nothing can be said
   * @param gate null if nothing was compared
   * @param shadow null if no version shadows
   * @param reason why the loss rose; null if it did not
   * @param promotion what is said of a promotion that was asked for; empty without one
   * @param standing the model's state after the window
   */
  record Findings(
      @Nullable Prequential prequential,
      @Nullable ExpectedReport expected,
      @Nullable GateReport gate,
      @Nullable Comparison shadow,
      DriftFindings drift,
      @Nullable ReasonReport reason,
      TrainerEvent.Outcome outcome,
      String promotion,
      Standing standing) {}

  /** The report of {@code window}, which was worked on from {@code begin} to {@code end}. */
  static WindowReport of(
      ModelSettings settings, Window window, Findings findings, Instant begin, Instant end) {
    Prequential prequential = findings.prequential();
    TrainerEvent.Outcome outcome = findings.outcome();
    TrainingRun run =
        outcome instanceof TrainerEvent.Outcome.Trained trained ? trained.run() : null;
    Prequential.@Nullable Compared all = prequential == null ? null : prequential.all();
    return WindowReport.newBuilder()
        .setFormat(format(findings, all))
        .setModel(settings.name())
        .setWindow(window.number())
        .setRanges(OffsetRanges.of(settings.topics().examples(), window))
        .setRows(window.rows().size())
        .setUnusable(new TreeMap<>(window.unusable()))
        .setServedVersions(servedVersions(window.rows()))
        .setLoss(all == null ? Double.NaN : all.served().loss())
        .setConstantLoss(all == null ? Double.NaN : all.constantLoss())
        .setMetrics(all == null ? Map.of() : new TreeMap<>(all.served().metrics()))
        .setEnvironments(environments(prequential))
        .setPublishedVersion(
            outcome instanceof TrainerEvent.Outcome.Trained made
                ? (Long) made.version().version().number()
                : null)
        .setDecision(decision(findings) + findings.promotion())
        .setTreesAppended(run == null ? 0 : run.appendedTrees())
        .setTreesTotal(run == null ? 0 : run.model().trees())
        .setTrainingMillis(Duration.between(begin, end).toMillis())
        .setAt(end)
        .setTipVersion(findings.standing().tip().number())
        .setGate(findings.gate())
        .setShadow(findings.shadow())
        .setDrift(drift(settings, findings.drift()))
        .setExpected(findings.expected())
        .setCalibration(all == null ? List.of() : all.calibration())
        .setReason(findings.reason())
        .setCoverage(all == null ? List.of() : all.coverage())
        .build();
  }

  private static int format(Findings findings, Prequential.@Nullable Compared all) {
    ExpectedReport expected = findings.expected();
    if (expected != null && !expected.getLow().isEmpty()) {
      return FORMAT;
    }
    boolean covered = all != null && !all.coverage().isEmpty();
    return findings.reason() == null && !covered ? WITHOUT_REASON_AND_COVERAGE : WITHOUT_RANGES;
  }

  private static @Nullable DriftReport drift(ModelSettings settings, DriftFindings drift) {
    if (settings.drift().action() == Drift.Action.NOTHING) {
      return null;
    }
    Integer since = drift.loss().rowsSince();
    return DriftReport.newBuilder()
        .setTests(drift.tests())
        .setAlarms(drift.alarms())
        .setLossRisen(drift.loss().rise())
        .setLossRisenByPageHinkley(drift.loss().pageHinkley())
        .setRowsSinceRise(since == null ? null : since.longValue())
        .setNewEnvironments(drift.newEnvironments())
        .setFeatures(drift.shifts().stream().map(Reports::drift).toList())
        .build();
  }

  private static FeatureDrift drift(DriftFindings.Shift shift) {
    return FeatureDrift.newBuilder()
        .setEnvironment(shift.environment())
        .setFeature(shift.feature())
        .setPsi(shift.stability())
        .setKs(shift.distance())
        .setP(shift.p())
        .setAlarm(shift.alarm())
        .build();
  }

  private static List<Long> servedVersions(List<LabelledRow> rows) {
    return rows.stream().map(row -> row.served().version()).distinct().sorted().toList();
  }

  private static List<EnvironmentReport> environments(@Nullable Prequential prequential) {
    List<EnvironmentReport> reports = new ArrayList<>();
    if (prequential != null) {
      for (Prequential.Compared compared : prequential.environments()) {
        reports.add(
            EnvironmentReport.newBuilder()
                .setEnvironment(compared.served().environment())
                .setRows(compared.served().rows())
                .setLoss(compared.served().loss())
                .setConstantLoss(compared.constantLoss())
                .setMetrics(new TreeMap<>(compared.served().metrics()))
                .setCalibration(compared.calibration())
                .setCoverage(compared.coverage())
                .build());
      }
    }
    return reports;
  }

  private static String decision(Findings findings) {
    GateReport gate = findings.gate();
    return switch (findings.outcome()) {
      case TrainerEvent.Outcome.Kept kept -> kept.reason();
      case TrainerEvent.Outcome.Trained trained -> {
        TrainingRun run = trained.run();
        String chosen = GammaSchedule.sentence(trained.version().version().manifest());
        yield "Version "
            + trained.version().version().number()
            + " has "
            + run.appendedTrees()
            + " new trees: the anchor loss of its training rows went from "
            + sixDigits(run.before().total())
            + " to "
            + sixDigits(run.after().total())
            + "."
            + (run.droppedSegments() == 0
                ? ""
                : " Old segments that left over the tree budget: " + run.droppedSegments() + ".")
            + (chosen.isEmpty() ? "" : " " + chosen)
            + (gate == null ? "" : " " + HeldOutGate.sentence(gate))
            + waiting(findings.standing());
      }
    };
  }

  /** Faster than {@code %.6g}: every version says two such numbers. */
  private static String sixDigits(double value) {
    return Double.isFinite(value)
        ? BigDecimal.valueOf(value).round(SIX_DIGITS).toString()
        : Double.toString(value);
  }

  private static String waiting(Standing standing) {
    long serves = standing.serving().number();
    if (serves == standing.tip().number()) {
      return "";
    }
    return standing.head().getPinned()
        ? " Version " + serves + " is pinned and serves on."
        : " It waits to be promoted, and version " + serves + " serves on.";
  }
}
