package io.holdfast.schemas.version;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.boosting.objective.Calibrated;
import io.holdfast.boosting.objective.ClassCalibration;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.schemas.avro.ManifestCalibration;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.LedgerException.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What corrects the probabilities of a version, as its manifest has it. Immutable.
 *
 * @param labels how many it was learned from
 * @param since how many have come since
 */
public record LearnedCalibration(ClassCalibration calibration, long labels, long since) {
  public LearnedCalibration {
    Check.that(labels >= 1, "there must be 1 label or more: %s", labels);
    Check.that(since >= 0, "labels must be 0 or more: %s", since);
  }

  /** The same, some labels later. */
  public LearnedCalibration after(long more) {
    return new LearnedCalibration(calibration, labels, since + more);
  }

  /** That of a manifest; null if it has none. */
  static @Nullable LearnedCalibration of(ModelManifest manifest) {
    ManifestCalibration stored = manifest.getCalibration();
    return stored == null
        ? null
        : new LearnedCalibration(
            new ClassCalibration(stored.getSlopes(), stored.getIntercepts()),
            stored.getLabels(),
            stored.getSince());
  }

  /**
   * What a version's scores mean, which has this objective before its probabilities are corrected.
   */
  public static Objective objective(ModelManifest manifest, Objective trained) {
    LearnedCalibration learned = of(manifest);
    return learned == null ? trained : new Calibrated(trained, learned.calibration);
  }

  static @Nullable ManifestCalibration stored(@Nullable LearnedCalibration of) {
    return of == null
        ? null
        : new ManifestCalibration(
            of.calibration.slopes(), of.calibration.intercepts(), of.labels, of.since);
  }

  /** Checks what a manifest says of it by itself. */
  static void checkAlone(ModelManifest manifest) throws LedgerException {
    ManifestCalibration stored = manifest.getCalibration();
    if (stored == null) {
      return;
    }
    LedgerLimits.read(stored.getSlopes().size(), LedgerLimits.OUTPUTS, "the classes corrected");
    if (stored.getLabels() < 1 || stored.getSince() < 0) {
      throw Reason.BAD_RECORD.because(
          "probabilities must be corrected by 1 label or more: %d", stored.getLabels());
    }
    for (List<Double> all : List.of(stored.getSlopes(), stored.getIntercepts())) {
      for (double one : all) {
        if (!Double.isFinite(one)) {
          throw Reason.BAD_RECORD.because("probabilities must be corrected by numbers: %s", one);
        }
      }
    }
    for (double slope : stored.getSlopes()) {
      if (slope < 0) {
        throw Reason.BAD_RECORD.because("a slope must be 0 or more: %s", slope);
      }
    }
  }
}
