package io.holdfast.service.model;

import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.Digest;

/** A version that the model topic holds, and when its manifest was published. */
public record KnownVersion(ModelManifest manifest, Digest hash, long timestampMillis) {

  public long number() {
    return manifest.getVersion();
  }

  /** How many trees its segments hold. */
  public int trees() {
    return manifest.getSegments().stream().mapToInt(segment -> segment.getTrees()).sum();
  }
}
