package io.holdfast.cli.models;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.version.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A head as people and machines read it: what serves, and who wanted it, why and when. */
record HeadState(
    long sequence,
    long version,
    Digest hash,
    long tipVersion,
    Digest tipHash,
    @Nullable Long shadowVersion,
    @Nullable Digest shadowHash,
    @Nullable Double promoteError,
    boolean pinned,
    HeadReason reason,
    String by,
    String why,
    Instant at) {

  static HeadState of(ModelHead head) {
    @Nullable Sha256Digest shadow = head.getShadowHash();
    return new HeadState(
        head.getSequence(),
        head.getVersion(),
        Digest.fromBytes(head.getHash().bytes()),
        HeadRules.tipVersion(head),
        HeadRules.tipHash(head),
        head.getShadowVersion(),
        shadow == null ? null : Digest.fromBytes(shadow.bytes()),
        head.getPromotion() == null ? null : head.getPromotion().getError(),
        head.getPinned(),
        head.getReason(),
        head.getBy(),
        head.getNote(),
        head.getAt());
  }

  String shadow() {
    return shadowVersion == null ? "-" : String.valueOf(shadowVersion);
  }
}
