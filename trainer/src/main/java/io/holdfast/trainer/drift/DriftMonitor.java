package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how far a window has shifted from what came before, and what is to be done about it.
 * Stateless: all of it is a function of the settings and the rows.
 */
public final class DriftMonitor {
  private DriftMonitor() {}

  /** What has drifted; nothing is looked for if nothing is to come of it. */
  public static DriftFindings look(ModelSettings settings, DriftEvidence evidence) {
    Drift drift = settings.drift();
    if (drift.action() == Drift.Action.NOTHING || evidence.arrived().isEmpty()) {
      return DriftFindings.NONE;
    }
    ComparedRows compared = ComparedRows.of(settings, evidence);
    List<DriftFindings.Shift> shifts = new ArrayList<>();
    ReferenceCurves reference = compared.due() ? reference(settings, evidence) : null;
    int tests = 0;
    if (reference != null) {
      Rows rows = compared.together() ? evidence.decoded(compared.fresh()) : evidence.window();
      tests =
          Distributions.compare(evidence.features(), reference, rows, drift.falseAlarms(), shifts);
    }
    return new DriftFindings(
        compared.together() ? compared.fresh().size() : 0,
        tests,
        shifts,
        loss(drift, evidence, compared),
        newEnvironments(evidence, compared));
  }

  /**
   * What the losses say. Those of small windows are looked at together, as all else: between,
   * nothing has risen, and how long memory should be is asked for only where it is heeded.
   */
  private static DriftFindings.LossDrift loss(
      Drift drift, DriftEvidence evidence, ComparedRows compared) {
    if (compared.together() && compared.due()) {
      return LossTrack.of(
          evidence.objective(),
          evidence.replayed(),
          evidence.arrived(),
          compared,
          drift.falseAlarms());
    }
    if (compared.together() && drift.action() == Drift.Action.REPORT) {
      return DriftFindings.LossDrift.NONE;
    }
    DriftFindings.LossDrift found =
        LossTrack.of(
            evidence.objective(), evidence.replayed(), evidence.arrived(), drift.falseAlarms());
    return compared.together()
        ? new DriftFindings.LossDrift(false, false, found.rowsSince())
        : found;
  }

  /** That of the tip; if it keeps none, that of the remembered rows. */
  private static @Nullable ReferenceCurves reference(
      ModelSettings settings, DriftEvidence evidence) {
    ReferenceCurves kept = evidence.reference();
    if (kept != null
        || evidence.arrived().size() < ComparedRows.enough(settings)
        || evidence.replayed().isEmpty()) {
      return kept;
    }
    ReferenceRows rows = new ReferenceRows();
    rows.add(evidence.replayed(), evidence.replay(), position -> true);
    TrainingReference remembered = rows.added(null, rows.size());
    return remembered == null ? null : new ReferenceCurves(remembered);
  }

  /** What the version of this window is to keep to compare later ones with; null if nothing. */
  public static @Nullable KeptReference keep(
      ModelSettings settings, DriftEvidence evidence, DriftFindings findings) {
    return ReferenceUpkeep.next(settings, evidence, findings);
  }

  /** What it asks of training, under the settings' action. */
  public static DriftAssessment assess(
      ModelSettings settings, DriftFindings findings, int arrived) {
    Integer rows = findings.loss().rowsSince();
    return switch (settings.drift().action()) {
      case NOTHING, REPORT -> DriftAssessment.NONE;
      case SHORTEN -> new DriftAssessment(remembered(rows, arrived), false, Map.of());
      case REPLACE ->
          new DriftAssessment(remembered(rows, arrived), findings.loss().rise(), Map.of());
    };
  }

  /** Of the rows since the loss rose, those before the window. */
  private static @Nullable Integer remembered(@Nullable Integer rowsSince, int arrived) {
    return rowsSince == null ? null : Math.max(0, rowsSince - arrived);
  }

  /** A small window's version may have learned of no other: what is remembered is not new. */
  private static List<String> newEnvironments(DriftEvidence evidence, ComparedRows compared) {
    Set<String> known = new HashSet<>(evidence.tip().getEnvironments());
    ReferenceCurves reference = evidence.reference();
    List<String> found = new ArrayList<>();
    Rows window = evidence.window();
    for (String environment : known.isEmpty() ? List.<String>of() : window.environments()) {
      if (!known.contains(environment)
          && (reference == null || !reference.sketches().knows(environment))
          && !(compared.together() && evidence.remembers(environment))) {
        found.add(environment);
      }
    }
    return found;
  }
}
