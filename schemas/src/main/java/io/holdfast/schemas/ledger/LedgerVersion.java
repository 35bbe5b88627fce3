package io.holdfast.schemas.ledger;

import io.holdfast.boosting.model.Model;
import io.holdfast.schemas.avro.ModelManifest;
import java.util.List;

/**
 * A verified version: its manifest, the hash of that, the digests of its segments, and the model
 * that scores. Immutable.
 */
public record LedgerVersion(
    ModelManifest manifest, Digest hash, List<Digest> segments, Model model) {

  public long number() {
    return manifest.getVersion();
  }
}
