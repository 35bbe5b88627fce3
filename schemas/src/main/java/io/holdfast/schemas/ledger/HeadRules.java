package io.holdfast.schemas.ledger;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.PromoteWhen;
import io.holdfast.schemas.avro.PromotionWish;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import io.holdfast.schemas.version.LedgerVersion;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which head follows which: the one place that decides it, for trainer, command line and REST.
 * Stateless and pure.
 *
 * <pre>
 *             serves                      tip                     shadow        pinned
 * Trained     the new one if the gate     the new one             stays         stays
 *             lets it and nothing is
 *             pinned
 * Retrained   the new one; stays if it  the new one             ends if gone  stays unless it
 *             is pinned or waits and                                            is gone
 *             is not gone
 * Imported    the new one if nothing is   the new one             stays         stays
 *             pinned
 * Climbed     the new one; what served    the new one             stays         must be false
 *             must be the tip
 * RolledBack  that version                that version            ends if same  stays
 * Pinned      that version                stays                   ends if same  true
 * Unpinned    the tip; stays under a      stays                   ends if same  false
 *             gate that waits
 * Shadowed    stays                       stays                   that version  stays
 * Unshadowed  stays                       stays                   none          stays
 * Promoted    that version                stays if it grew from   ends if same  must be false
 *                                         it, else that version
 * Noted       stays                       stays                   stays         stays
 * </pre>
 *
 * <p>The wish that a shadow be promoted stays and goes with it.
 */
public final class HeadRules {
  /** Heads before the newest that are looked at when that cannot serve. */
  private static final int MAX_BEFORE = 20;

  private HeadRules() {}

  /** Who changes a head, why, and when. */
  public record Author(String by, String note, Instant at) {}

  /** What a change needs to know of a model's versions. */
  public interface Versions {
    /** A hash, or a LedgerException if the version is not there or cannot be verified. */
    Digest verified(long version) throws LedgerException;

    /** Whether {@code version} is {@code ancestor} or grew from it, as far as is known. */
    boolean grewFrom(long version, long ancestor);
  }

  /** A version by number and hash. */
  private record Named(long version, Sha256Digest hash) {}

  /** What shadows, and when it is to be promoted. */
  private record Shadow(Named named, @Nullable PromotionWish wish) {}

  /**
   * The heads that may serve when the newest cannot, the newest first. They end at a head that
   * someone chose in place of the one before it: whatever that serves was taken back.
   *
   * @param newest null if it can never serve, and is forgotten
   * @param history may begin with the newest
   */
  static List<ModelHead> inPlaceOf(@Nullable ModelHead newest, Collection<ModelHead> history) {
    List<ModelHead> before = new ArrayList<>();
    ModelHead next = newest;
    for (ModelHead head : history) {
      boolean older = next == null || head.getSequence() < next.getSequence();
      if (before.size() == MAX_BEFORE || (next != null && older && chosen(next, head))) {
        break;
      }
      if (older) {
        before.add(head);
      }
      next = head;
    }
    return before;
  }

  /** Whether a user had a version serve in place of another, which may be bad. */
  private static boolean chosen(ModelHead head, ModelHead before) {
    return switch (head.getReason()) {
      case ROLLED_BACK, PINNED, UNPINNED, PROMOTED -> true;
      case OTHER -> !head.getHash().equals(before.getHash());
      case INITIAL, TRAINED, IMPORTED, SHADOWED, GATED, CLIMBED -> false;
    };
  }

  /** The version that training grows from. */
  public static long tipVersion(ModelHead head) {
    return Objects.requireNonNullElse(head.getTipVersion(), head.getVersion());
  }

  /** The tip's hash. */
  public static Digest tipHash(ModelHead head) {
    Sha256Digest tip = head.getTipVersion() == null ? null : head.getTipHash();
    return Digest.of(tip == null ? head.getHash() : tip);
  }

  /** The versions that a head names: what serves, the tip, and what shadows. */
  static Set<Long> names(ModelHead head) {
    Set<Long> names = new HashSet<>(List.of(head.getVersion(), tipVersion(head)));
    if (head.getShadowVersion() != null) {
      names.add(head.getShadowVersion());
    }
    return names;
  }

  /** The next head by the model's gate, or a LedgerException for the user, in one sentence. */
  public static ModelHead next(
      ModelHead present, HeadChange change, Versions versions, Gate gate, Author author)
      throws LedgerException {
    Named serving = new Named(present.getVersion(), present.getHash());
    Named tip = named(tipVersion(present), tipHash(present));
    return switch (change) {
      case HeadChange.Trained(long version, Digest hash, boolean serves) -> {
        Named trained = named(version, hash);
        yield serves && !present.getPinned()
            ? after(present, trained, trained, HeadReason.TRAINED, author)
            : after(present, serving, trained, HeadReason.GATED, author);
      }
      case HeadChange.Retrained again -> retrained(present, serving, tip, again, author);
      case HeadChange.Imported(long version, Digest hash) -> {
        Named imported = named(version, hash);
        Named serves = present.getPinned() ? serving : imported;
        yield after(present, serves, imported, HeadReason.IMPORTED, author);
      }
      case HeadChange.Climbed(long version, Digest hash) -> {
        refusePinned(present, "no other rung can serve");
        refuseApart(present, serving, tip);
        Named climbed = named(version, hash);
        yield after(present, climbed, climbed, HeadReason.CLIMBED, author);
      }
      case HeadChange.RolledBack(long version) -> {
        Named old = named(version, versions.verified(version));
        yield after(present, old, old, HeadReason.ROLLED_BACK, author);
      }
      case HeadChange.Pinned(long version) -> {
        Named pinned = named(version, versions.verified(version));
        yield head(present, pinned, tip, shadow(present, pinned), true, HeadReason.PINNED, author);
      }
      case HeadChange.Unpinned() -> unpinned(present, gate.waits() ? serving : tip, tip, author);
      case HeadChange.Shadowed shadowed -> {
        Shadow shadow = shadow(present, shadowed, versions, gate);
        yield shadowed(present, serving, tip, shadow, author);
      }
      case HeadChange.Unshadowed() -> {
        if (present.getShadowVersion() == null) {
          throw Reason.REFUSED.because(
              "no version of %s shadows the one that serves", present.getModel());
        }
        yield shadowed(present, serving, tip, null, author);
      }
      case HeadChange.Noted() -> after(present, serving, tip, HeadReason.OTHER, author);
      case HeadChange.Promoted(long version) -> {
        refusePinned(present, "no other can be promoted");
        Named promoted = named(version, versions.verified(version));
        Named grows = versions.grewFrom(tip.version(), version) ? tip : promoted;
        yield after(present, promoted, grows, HeadReason.PROMOTED, author);
      }
    };
  }

  private static ModelHead unpinned(ModelHead present, Named serves, Named tip, Author author)
      throws LedgerException {
    refuseNotPinned(present);
    return head(present, serves, tip, shadow(present, serves), false, HeadReason.UNPINNED, author);
  }

  private static ModelHead retrained(
      ModelHead present, Named serving, Named tip, HeadChange.Retrained again, Author author) {
    boolean stays =
        !again.gone().contains(serving.version()) && (present.getPinned() || !serving.equals(tip));
    Named grows = named(again.version(), again.hash());
    Named serves = stays ? serving : grows;
    Shadow before = shadow(present, serves);
    boolean shadows = before != null && !again.gone().contains(before.named().version());
    Shadow shadow = shadows ? before : null;
    boolean pinned = stays && present.getPinned();
    return head(present, serves, grows, shadow, pinned, HeadReason.TRAINED, author);
  }

  private static void refuseNotPinned(ModelHead present) throws LedgerException {
    if (!present.getPinned()) {
      throw Reason.REFUSED.because("model %s is not pinned", present.getModel());
    }
  }

  private static Shadow shadow(
      ModelHead present, HeadChange.Shadowed asked, Versions versions, Gate gate)
      throws LedgerException {
    long version = asked.version();
    if (version == present.getVersion()) {
      throw Reason.REFUSED.because(
          "version %d of %s serves, so it cannot shadow itself", version, present.getModel());
    }
    Named shadow = named(version, versions.verified(version));
    Double error = asked.promoteError();
    if (error == null) {
      return new Shadow(shadow, null);
    }
    refuseWish(present, version, error, gate, versions);
    return new Shadow(
        shadow, new PromotionWish(PromoteWhen.BETTER, error, present.getSequence() + 1));
  }

  private static void refuseWish(
      ModelHead present, long version, double error, Gate gate, Versions versions)
      throws LedgerException {
    if (!(error > 0 && error < 1)) {
      throw Reason.REFUSED.because(
          "the rate of errors of a promotion must be above 0 and below 1: %s", error);
    }
    long tip = tipVersion(present);
    if (gate == Gate.ALWAYS && versions.grewFrom(tip, version)) {
      throw Reason.REFUSED.because(
          "whatever is trained next from version %d of %s serves in place of version %d, which it"
              + " grew from: set update.gate to manual first, or roll back to it",
          tip, present.getModel(), version);
    }
  }

  private static void refuseApart(ModelHead present, Named serving, Named tip)
      throws LedgerException {
    if (!serving.equals(tip)) {
      throw Reason.REFUSED.because(
          "version %d of %s serves and training grows from %d: promote one of them first",
          serving.version(), present.getModel(), tip.version());
    }
  }

  private static void refusePinned(ModelHead present, String so) throws LedgerException {
    if (present.getPinned()) {
      throw Reason.REFUSED.because(
          "version %d of %s is pinned, so %s: unpin it first",
          present.getVersion(), present.getModel(), so);
    }
  }

  /** A model's first head: {@code version} serves, and training grows from it. */
  public static ModelHead first(LedgerVersion version, HeadReason reason, Author author) {
    return LedgerCodec.head(version, reason, author.by(), author.note(), author.at());
  }

  /** The next head; what shadows goes on unless it serves now, and a pin holds. */
  private static ModelHead after(
      ModelHead present, Named serving, Named tip, HeadReason reason, Author author) {
    Shadow shadow = shadow(present, serving);
    return head(present, serving, tip, shadow, present.getPinned(), reason, author);
  }

  private static @Nullable Shadow shadow(ModelHead present, Named serving) {
    Long shadow = present.getShadowVersion();
    Sha256Digest hash = present.getShadowHash();
    return shadow == null || hash == null || shadow == serving.version()
        ? null
        : new Shadow(new Named(shadow, hash), present.getPromotion());
  }

  private static ModelHead shadowed(
      ModelHead present, Named serving, Named tip, @Nullable Shadow shadow, Author author) {
    boolean pinned = present.getPinned();
    return head(present, serving, tip, shadow, pinned, HeadReason.SHADOWED, author);
  }

  private static ModelHead head(
      ModelHead present,
      Named serving,
      Named tip,
      @Nullable Shadow shadow,
      boolean pinned,
      HeadReason reason,
      Author author) {
    PromotionWish wish = shadow == null ? null : shadow.wish();
    return new ModelHead(
        LedgerCodec.headFormat(wish),
        present.getModel(),
        serving.version(),
        serving.hash(),
        shadow == null ? null : (Long) shadow.named().version(),
        reason,
        author.by(),
        author.note(),
        author.at().truncatedTo(ChronoUnit.MILLIS),
        shadow == null ? null : shadow.named().hash(),
        tip.version(),
        tip.hash(),
        pinned,
        present.getSequence() + 1,
        wish);
  }

  private static Named named(long version, Digest hash) {
    return new Named(version, hash.stored());
  }
}
