package io.holdfast.trainer.learn;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.ledger.HeadRules;
import io.holdfast.schemas.ledger.HeldVersions;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerVersion;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A model's head and the versions that it names. Immutable.
 *
 * @param tip what training grows from: the serving version, unless that is pinned, waits for a
 *     promotion, or was put back
 * @param shadow scores beside the serving version; may be null
 */
public record Standing(
    ModelHead head, LedgerVersion serving, LedgerVersion tip, @Nullable LedgerVersion shadow) {
  private static final String TRAINER = "trainer";

  public Standing {
    Check.that(
        head.getVersion() == serving.number() && HeadRules.tipVersion(head) == tip.number(),
        "a head must name the versions that stand: %s",
        head);
  }

  /** By the ledger; null if the model has no head. */
  public static @Nullable Standing of(Ledger ledger, String model) throws LedgerException {
    ModelHead head = ledger.head(model).orElse(null);
    LedgerVersion serving = ledger.serving(model).orElse(null);
    LedgerVersion tip = ledger.tip(model).orElse(null);
    return head == null || serving == null || tip == null
        ? null
        : new Standing(head, serving, tip, ledger.shadow(model).orElse(null));
  }

  /** A model whose first head names {@code version}. */
  public static Standing first(LedgerVersion version, Instant at) {
    return of(
        version,
        HeadRules.first(version, HeadReason.INITIAL, new HeadRules.Author(TRAINER, "", at)));
  }

  /** A model of one version under that head. */
  static Standing of(LedgerVersion version, ModelHead head) {
    return new Standing(head, version, version, null);
  }

  /** The version that a new one would replace: the tip if another version is pinned. */
  LedgerVersion replaceable() {
    return head.getPinned() ? tip : serving;
  }

  /** With a version trained from the tip. */
  Standing trained(LedgerVersion version, Gate gate, Instant at) {
    var change = new HeadChange.Trained(version.number(), version.hash(), !gate.waits());
    try {
      ModelHead next =
          HeadRules.next(head, change, NO_OTHERS, gate, new HeadRules.Author(TRAINER, "", at));
      return new Standing(
          next, next.getVersion() == version.number() ? version : serving, version, shadow);
    } catch (LedgerException e) {
      throw new IllegalStateException("a trained version is never refused", e);
    }
  }

  /**
   * With a version of the model, read already, in place of the one that serves; nothing is pinned.
   */
  Standing promoted(
      LedgerVersion version, String why, HeldVersions versions, Gate gate, Instant at) {
    HeadRules.Versions known =
        new HeadRules.Versions() {
          @Override
          public Digest verified(long number) {
            return version.hash();
          }

          @Override
          public boolean grewFrom(long number, long ancestor) {
            return versions.grewFrom(tip.manifest(), ancestor);
          }
        };
    try {
      ModelHead next =
          HeadRules.next(
              head,
              new HeadChange.Promoted(version.number()),
              known,
              gate,
              new HeadRules.Author(TRAINER, why, at));
      return new Standing(
          next,
          version,
          HeadRules.tipVersion(next) == tip.number() ? tip : version,
          next.getShadowVersion() == null ? null : shadow);
    } catch (LedgerException e) {
      throw new IllegalStateException("what is not pinned is never refused", e);
    }
  }

  private static final HeadRules.Versions NO_OTHERS =
      new HeadRules.Versions() {
        @Override
        public Digest verified(long version) {
          throw new IllegalStateException("a trained version is its own proof: " + version);
        }

        @Override
        public boolean grewFrom(long version, long ancestor) {
          return false;
        }
      };
}
