package io.holdfast.schemas.version;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.List;
import java.util.Map;

/** A published rung of a version: the digests of its segments, and what scores if it serves. */
public record LedgerRung(double gamma, List<Digest> segments, Model model) {
  public LedgerRung {
    segments = List.copyOf(segments);
  }

  /** The parameters of the objective that scores: those of the rung that the manifest names. */
  public static Map<String, Double> servedParameters(ModelManifest manifest) {
    Double served = manifest.getRung();
    for (ManifestRung rung : manifest.getRungs()) {
      if (served != null && rung.getGamma() == served) {
        return rung.getObjectiveParameters();
      }
    }
    return manifest.getObjectiveParameters();
  }
}
