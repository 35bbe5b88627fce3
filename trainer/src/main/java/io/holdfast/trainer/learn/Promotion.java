package io.holdfast.trainer.learn;

import io.holdfast.boosting.data.Rows;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.PromoteWhen;
import io.holdfast.schemas.avro.PromotionWish;
import io.holdfast.schemas.ledger.HeldVersions;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.evaluate.PairedEvidence;
import io.holdfast.trainer.evaluate.VersionLosses;
import io.holdfast.trainer.window.LabelledRow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a window says of a version that is to serve once it is shown to be better: a shadow of which
 * that was asked, or the newest under the gate {@code shown}.
 *
 * @param evidence up to the window's end; null if no promotion was asked for
 * @param challenger the version that would be promoted
 * @param error the rate of errors
 */
record Promotion(
    @Nullable PairedEvidence evidence, @Nullable LedgerVersion challenger, double error) {
  static final Promotion NOT_ASKED = new Promotion(null, null, 0);

  /** A version that is to serve once it is shown to be better. */
  private record Asked(long by, LedgerVersion challenger, double error) {}

  /** By a head, or by the gate for whatever is trained. */
  private static @Nullable Asked asked(ModelSettings.Update update, Standing before) {
    PromotionWish wish = before.head().getPromotion();
    LedgerVersion shadow = before.shadow();
    if (wish != null && wish.getWhen() == PromoteWhen.BETTER && shadow != null) {
      return new Asked(wish.getSince(), shadow, wish.getError());
    }
    return update.gate() == Gate.SHOWN && before.tip().number() != before.serving().number()
        ? new Asked(0, before.tip(), update.error())
        : null;
  }

  /**
   * By the window's rows.
   *
   * @param before the model's state when the window ended
   * @param held the evidence up to the window before; begun anew if it is of another promotion, or
   *     if somebody else changed what serves
   * @param rows the window's, which may be none
   * @param labelled the same, decoded; null if there are none
   */
  static Promotion of(
      ModelSettings.Update update,
      Standing before,
      @Nullable PairedEvidence held,
      Framing framing,
      List<LabelledRow> rows,
      @Nullable Rows labelled) {
    Asked asked = asked(update, before);
    if (asked == null) {
      return NOT_ASKED;
    }
    LedgerVersion serving = before.serving();
    PairedEvidence evidence =
        held != null && held.asked() == asked.by() && held.serving() == serving.number()
            ? held
            : PairedEvidence.none(asked.by(), serving.number());
    if (labelled != null) {
      try {
        evidence =
            evidence.plus(
                labelled,
                VersionLosses.ofRows(asked.challenger(), framing, rows, labelled),
                VersionLosses.ofRows(serving, framing, rows, labelled));
      } catch (MalformedRecordException e) {
        // A version that cannot read the records says nothing.
      }
    }
    return new Promotion(evidence, asked.challenger(), asked.error());
  }

  /** The state in which the challenger serves; null if it is not to, or not yet. */
  @Nullable Standing promoted(Standing present, HeldVersions versions, Gate gate, Instant at) {
    return evidence == null
            || challenger == null
            || !evidence.shows(error)
            || present.head().getPinned()
        ? null
        : present.promoted(challenger, note(), versions, gate, at);
  }

  /** What is left of the evidence for later windows. */
  @Nullable PairedEvidence left(Standing after) {
    return evidence == null || done(after) ? null : evidence.served(after.serving().number());
  }

  private boolean done(Standing after) {
    return challenger != null && after.serving().number() == challenger.number();
  }

  /** For the history of heads. */
  private String note() {
    PairedEvidence said = Objects.requireNonNull(evidence);
    return Sentence.of(
        "better by evidence of %.4g (error %s): over %d rows its mean loss was lower by %.4g",
        said.bets().value(), error, said.all().rows(), said.gain());
  }

  /** For the report, with a blank before it; empty if no promotion was asked for. */
  String sentence(Standing after) {
    if (evidence == null || challenger == null) {
      return "";
    }
    if (done(after)) {
      return Sentence.of(" Version %d is promoted: %s.", challenger.number(), note());
    }
    return Sentence.of(
        " The evidence that version %d is better is %.4g after %d rows, and %.4g promotes it%s.",
        challenger.number(),
        evidence.bets().value(),
        evidence.all().rows(),
        1 / error,
        after.head().getPinned() ? " once nothing is pinned" : "");
  }
}
