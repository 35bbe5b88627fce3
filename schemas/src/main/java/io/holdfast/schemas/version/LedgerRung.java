package io.holdfast.schemas.version;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.List;
import java.util.Map;

/**
 * A published rung of a version: its trees with the leaf values of one gamma. Immutable.
 *
 * @param gamma the anchor strength of the leaf values
 * @param segments the digests of its segments
 * @param model what scores if it is this rung that serves
 */
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

  /** The same to the engine. */
  public GammaVariant rung() {
    return new GammaVariant(gamma, model);
  }
}
