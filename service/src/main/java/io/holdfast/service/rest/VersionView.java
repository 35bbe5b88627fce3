package io.holdfast.service.rest;

import io.holdfast.schemas.version.Digest;
import io.holdfast.service.model.KnownVersion;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificFixed;
import org.jspecify.annotations.Nullable;

/**
 * A version that the model topic holds.
 *
 * @param hash its manifest's SHA-256, hexadecimal
 * @param parent its parent's hash; null for version 0
 * @param calibrated whether it corrects probabilities, by labels that came
 */
@Serdeable
public record VersionView(
    long version,
    String hash,
    @Nullable String parent,
    String objective,
    Map<String, Double> objectiveParameters,
    double gamma,
    boolean calibrated,
    int trees,
    int segments,
    Instant publishedAt,
    Map<String, @Nullable Double> metrics,
    List<String> environments) {

  static VersionView of(KnownVersion known) {
    var manifest = known.manifest();
    @Nullable SpecificFixed parent = manifest.getParentHash();
    return new VersionView(
        known.number(),
        known.hash().hex(),
        parent == null ? null : Digest.fromBytes(parent.bytes()).hex(),
        manifest.getObjective(),
        new TreeMap<>(manifest.getObjectiveParameters()),
        manifest.getGamma(),
        manifest.getCalibration() != null,
        known.trees(),
        manifest.getSegments().size(),
        Instant.ofEpochMilli(known.timestampMillis()),
        Figures.finite(manifest.getMetrics()),
        manifest.getEnvironments());
  }
}
