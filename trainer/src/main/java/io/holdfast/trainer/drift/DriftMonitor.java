package io.holdfast.trainer.drift;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Drift;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks for drift of a window, as a function of settings and rows. Stateless. */
public final class DriftMonitor {
  private DriftMonitor() {}

  /** What has drifted; nothing is looked for if the settings' action is nothing. */
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
          Distributions.compare(
              evidence.features(),
              reference,
              rows,
              () -> evidence.decoded(compared.earlier(evidence)),
              drift.falseAlarms(),
              shifts);
    }
    return new DriftFindings(
        compared.together() ? compared.fresh().size() : 0,
        tests,
        shifts,
        loss(drift, evidence, compared),
        newEnvironments(evidence, compared));
  }

  /**
   * Small windows' losses are looked at together. In between, only the rows since the last rise are
   * told, where the action heeds them.
   */
  private static DriftFindings.LossDrift loss(
      Drift drift, DriftEvidence evidence, ComparedRows compared) {
    if (compared.due()) {
      DriftFindings.LossDrift found =
          compared.together()
              ? LossTrack.of(evidence, compared, drift.falseAlarms())
              : LossTrack.of(evidence, drift.falseAlarms());
      return found.in(EnvironmentLosses.risen(evidence, compared, drift.falseAlarms()));
    }
    return drift.action() == Drift.Action.REPORT
        ? DriftFindings.LossDrift.NONE
        : new DriftFindings.LossDrift(
            false, false, LossTrack.of(evidence, drift.falseAlarms()).rowsSince());
  }

  /** The tip's reference; if it keeps none, one of the remembered rows. */
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

  /** What findings ask of training, under the settings' action. */
  public static DriftAssessment assess(
      ModelSettings settings, DriftFindings findings, int arrived) {
    Integer since = findings.loss().rowsSince();
    Integer remembered = since == null ? null : Math.max(0, since - arrived);
    return switch (settings.drift().action()) {
      case NOTHING, REPORT -> DriftAssessment.NONE;
      case SHORTEN -> new DriftAssessment(remembered, false);
      case REPLACE -> new DriftAssessment(remembered, findings.loss().rise());
    };
  }

  /** Environments not among the reference's, nor, for small windows, among the remembered rows'. */
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
