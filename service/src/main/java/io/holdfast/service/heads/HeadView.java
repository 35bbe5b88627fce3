package io.holdfast.service.heads;

import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.PromotionWish;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.version.Digest;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.apache.avro.specific.SpecificFixed;
import org.jspecify.annotations.Nullable;

/**
 * A head: which version serves, which one training grows from, which one scores beside.
 *
 * @param sequence its number among the model's heads; 0 of one from before they were numbered
 * @param hash the serving version's, hexadecimal
 * @param shadowVersion null if none scores beside
 * @param promoteError the rate of errors by which the trainer is to promote the shadow once it is
 *     shown to be better; null if it is not to
 * @param pinned whether training leaves what serves as it is
 */
@Serdeable
public record HeadView(
    long sequence,
    long version,
    String hash,
    long tipVersion,
    String tipHash,
    @Nullable Long shadowVersion,
    @Nullable String shadowHash,
    @Nullable Double promoteError,
    boolean pinned,
    String reason,
    String by,
    String why,
    Instant at) {

  /** A view of a head. */
  public static HeadView of(ModelHead head) {
    @Nullable SpecificFixed shadow = head.getShadowHash();
    @Nullable PromotionWish wish = head.getPromotion();
    return new HeadView(
        head.getSequence(),
        head.getVersion(),
        Digest.fromBytes(head.getHash().bytes()).hex(),
        HeadRules.tipVersion(head),
        HeadRules.tipHash(head).hex(),
        head.getShadowVersion(),
        shadow == null ? null : Digest.fromBytes(shadow.bytes()).hex(),
        wish == null ? null : (Double) wish.getError(),
        head.getPinned(),
        head.getReason().name(),
        head.getBy(),
        head.getNote(),
        head.getAt());
  }
}
