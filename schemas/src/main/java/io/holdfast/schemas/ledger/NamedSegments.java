package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.ArrayList;
import java.util.List;

/** All segments that a manifest names. Stateless. */
public final class NamedSegments {
  private NamedSegments() {}

  /** The version's own, then those of each rung. */
  public static List<ManifestSegment> of(ModelManifest manifest) {
    if (manifest.getRungs().isEmpty()) {
      return manifest.getSegments();
    }
    List<ManifestSegment> all = new ArrayList<>(manifest.getSegments());
    for (ManifestRung rung : manifest.getRungs()) {
      all.addAll(rung.getSegments());
    }
    return all;
  }

  /** The digests of all of them. */
  static List<Digest> digests(ModelManifest manifest) {
    List<Digest> digests = new ArrayList<>();
    for (ManifestSegment segment : of(manifest)) {
      digests.add(Digest.fromBytes(segment.getSha256().bytes()));
    }
    return digests;
  }
}
