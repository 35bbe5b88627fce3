package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.ManifestRung;
import io.holdfast.schemas.avro.ManifestSegment;
import io.holdfast.schemas.avro.ManifestUncertainty;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.version.BinsCodec;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.ReferenceCodec;
import java.util.ArrayList;
import java.util.List;

/** All records that a manifest names. Stateless. */
public final class NamedSegments {
  private NamedSegments() {}

  /** Its segments: the version's own, those of each rung, then those of the spreads. */
  public static List<ManifestSegment> of(ModelManifest manifest) {
    List<ManifestSegment> all = new ArrayList<>(manifest.getSegments());
    for (ManifestRung rung : manifest.getRungs()) {
      all.addAll(rung.getSegments());
    }
    ManifestUncertainty uncertainty = manifest.getUncertainty();
    if (uncertainty != null && uncertainty.getSpread() != null) {
      all.addAll(uncertainty.getSpread().getSegments());
    }
    return all;
  }

  /** The keys of the records that only training goes on with: bins, and a reference. */
  public static List<LedgerKey.PieceKey> kept(ModelManifest manifest) {
    List<LedgerKey.PieceKey> kept = new ArrayList<>(2);
    Digest bins = BinsCodec.named(manifest);
    if (bins != null) {
      kept.add(new LedgerKey.BinsKey(manifest.getModel(), bins));
    }
    Digest reference = ReferenceCodec.named(manifest);
    if (reference != null) {
      kept.add(new LedgerKey.ReferenceKey(manifest.getModel(), reference));
    }
    return kept;
  }

  /** The keys of all segments, and of what is kept if that is wanted. */
  static List<LedgerKey.PieceKey> pieces(ModelManifest manifest, boolean withKept) {
    List<LedgerKey.PieceKey> pieces = new ArrayList<>();
    for (ManifestSegment segment : of(manifest)) {
      pieces.add(new LedgerKey.SegmentKey(manifest.getModel(), Digest.of(segment.getSha256())));
    }
    if (withKept) {
      pieces.addAll(kept(manifest));
    }
    return pieces;
  }
}
