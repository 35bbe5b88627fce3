package io.holdfast.trainer.reason;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.Interval;
import io.holdfast.schemas.avro.LossChange;
import io.holdfast.schemas.avro.ReasonReport;
import io.holdfast.schemas.avro.RisenEnvironment;
import io.holdfast.schemas.avro.SubgroupReport;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.trainer.evaluate.VersionObjectives;
import io.holdfast.trainer.rows.WindowRows;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds a window, or several small ones, against the rows remembered from before. Stateless. */
public final class WindowReason {
  /*
   * Rows are decoded only if losses have risen, and after training, so that no category gets another
   * code by it. Small windows are looked at together, where the offsets read pass a multiple of
   * TOGETHER: that is a function of the log, so no state is kept.
   */
  static final int MOST_ROWS = 4_000;
  private static final int TOGETHER = 500;
  private static final int TIMES = 4;

  private WindowReason() {}

  /** Why the loss of what was served rose; null if it is not shown to have, or not looked at. */
  public static @Nullable ReasonReport of(
      ModelSettings settings,
      Window window,
      WindowRows rows,
      VersionObjectives objectives,
      LedgerVersion tip) {
    int arrived = window.rows().size();
    boolean small = arrived < TOGETHER && TOGETHER <= settings.window().memoryRows();
    if (small && !due(window)) {
      return null;
    }
    int newest = small ? TOGETHER : arrived;
    int older = Math.min(MOST_ROWS, TIMES * newest);
    List<LabelledRow> all = rows.unbroken(older + newest);
    int cut = Math.max(0, all.size() - newest);
    List<LabelledRow> before = all.subList(0, cut);
    List<LabelledRow> now = WindowRows.spaced(all.subList(cut, all.size()), MOST_ROWS);
    ServedLosses lossesBefore = losses(before, objectives, tip);
    ServedLosses lossesNow = losses(now, objectives, tip);
    long seed = settings.booster().seed() + window.number();
    String risen =
        lossesBefore.finite() && lossesNow.finite()
            ? RiseTest.risen(lossesBefore, lossesNow, settings.drift().falseAlarms(), seed)
            : null;
    if (risen == null) {
      return null;
    }
    Rows decoded = rows.decoded(before);
    Rows newer = rows.decoded(now);
    return report(
        RiseAnalysis.of(rows.features(), decoded, lossesBefore, newer, lossesNow, risen, seed));
  }

  private static boolean due(Window window) {
    long from = 0;
    long to = 0;
    for (Window.Cut cut : window.cuts().values()) {
      from += cut.from();
      to += cut.to();
    }
    return to / TOGETHER > from / TOGETHER;
  }

  private static ServedLosses losses(
      List<LabelledRow> rows, VersionObjectives objectives, LedgerVersion tip) {
    Objective present = tip.model().objective();
    double[] losses = new double[rows.size()];
    for (int row = 0; row < losses.length; row++) {
      LabelledRow labelled = rows.get(row);
      Objective served = objectives.of(labelled.served().version(), present);
      losses[row] = served.loss(labelled.label(), labelled.served().rawScores());
    }
    return new ServedLosses(
        losses,
        rows.stream().mapToDouble(LabelledRow::weight).toArray(),
        rows.stream().map(LabelledRow::environment).toList());
  }

  static ReasonReport report(LossReason reason) {
    LossReason.Parts parts = reason.parts();
    return ReasonReport.newBuilder()
        .setSentence(reason.sentence())
        .setEnvironment(reason.environment())
        .setChange(LossChange.valueOf(reason.change().name()))
        .setRowsBefore(reason.rowsBefore())
        .setRows(reason.rows())
        .setLossBefore(reason.lossBefore())
        .setLoss(reason.loss())
        .setRise(interval(reason.rise()))
        .setFeatures(parts == null ? null : interval(parts.features()))
        .setLabels(parts == null ? null : interval(parts.labels()))
        .setOverlap(parts == null ? null : (Double) parts.overlap())
        .setSubgroup(subgroup(reason.subgroup()))
        .setEnvironments(reason.environments().stream().map(WindowReason::environment).toList())
        .build();
  }

  private static @Nullable SubgroupReport subgroup(@Nullable Subgroup group) {
    return group == null
        ? null
        : SubgroupReport.newBuilder()
            .setConditions(group.conditions().stream().map(Condition::sentence).toList())
            .setShareBefore(group.shareBefore())
            .setShare(group.share())
            .setEffect(interval(group.effect()))
            .build();
  }

  private static RisenEnvironment environment(LossReason.EnvironmentRise rise) {
    return RisenEnvironment.newBuilder()
        .setEnvironment(rise.environment())
        .setRowsBefore(rise.rowsBefore())
        .setRows(rise.rows())
        .setRise(interval(rise.rise()))
        .build();
  }

  private static Interval interval(Estimate estimate) {
    return new Interval(estimate.value(), estimate.low(), estimate.high());
  }
}
