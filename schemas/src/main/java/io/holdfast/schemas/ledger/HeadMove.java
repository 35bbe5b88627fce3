package io.holdfast.schemas.ledger;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.PromotionWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A head and the one that follows it. */
public record HeadMove(ModelHead before, ModelHead after) {

  /** What is different, a clause each without a full stop. */
  public List<String> changes() {
    List<String> changes = new ArrayList<>();
    if (before.getVersion() != after.getVersion()) {
      changes.add(
          Sentence.of("version %d serves in place of %d", after.getVersion(), before.getVersion()));
    }
    long tip = HeadRules.tipVersion(after);
    if (tip != HeadRules.tipVersion(before)) {
      changes.add(
          Sentence.of(
              "training grows from version %d in place of %d", tip, HeadRules.tipVersion(before)));
    }
    Long was = before.getShadowVersion();
    Long shadow = after.getShadowVersion();
    if (shadow != null && !shadow.equals(was)) {
      changes.add(Sentence.of("version %d scores beside it, unserved", shadow));
    } else if (was != null && shadow == null) {
      changes.add(Sentence.of("version %d scores beside no more", was));
    }
    PromotionWish wish = after.getPromotion();
    if (shadow != null && wish != null && !wish.equals(before.getPromotion())) {
      changes.add(
          Sentence.of(
              "version %d is promoted once it is shown to be better (error %s)",
              shadow, wish.getError()));
    } else if (before.getPromotion() != null && wish == null && Objects.equals(shadow, was)) {
      changes.add(Sentence.of("version %d waits for somebody who promotes it", shadow));
    }
    if (before.getPinned() != after.getPinned()) {
      changes.add(
          after.getPinned()
              ? Sentence.of("version %d stays whatever is trained", after.getVersion())
              : "training moves what serves again");
    }
    return changes;
  }
}
