package io.holdfast.trainer.drift;

import io.holdfast.schemas.settings.ModelSettings;

/** Assesses how far a window has shifted from what came before. Stateless. */
public final class DriftMonitor {
  private DriftMonitor() {}

  /** A function of its arguments alone. */
  public static DriftAssessment assess(ModelSettings settings, DriftEvidence evidence) {
    return DriftAssessment.NONE;
  }
}
