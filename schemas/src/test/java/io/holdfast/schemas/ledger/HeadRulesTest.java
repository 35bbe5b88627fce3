package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.PromoteWhen;
import io.holdfast.schemas.avro.PromotionWish;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Heads are written as "serves/tip shadow pinned": {@code 5/7 s6 p} is version 5 pinned, 7 the tip,
 * 6 the shadow. Versions 0 to 7 are there; 6 grew from 3, every other from the one before.
 */
class HeadRulesTest {
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.008Z");
  private static final PromotionWish WISH = new PromotionWish(PromoteWhen.BETTER, 0.05, 7L);
  private static final Map<Long, Long> PARENTS =
      Map.of(1L, 0L, 2L, 1L, 3L, 2L, 4L, 3L, 5L, 4L, 6L, 3L, 7L, 6L);

  private static final HeadRules.Versions VERSIONS =
      new HeadRules.Versions() {
        @Override
        public Digest verified(long version) throws LedgerException {
          if (version < 0 || version > 7) {
            throw new LedgerException(
                Reason.MISSING_MANIFEST,
                Sentence.of("version %d of m is not on the topic; it has 0 to 7", version));
          }
          return digest(version);
        }

        @Override
        public boolean grewFrom(long version, long ancestor) {
          Long at = version;
          while (at != null && at != ancestor) {
            at = PARENTS.get(at);
          }
          return at != null;
        }
      };

  @ParameterizedTest
  @CsvSource({
    // trained: serves unless the gate or a pin keeps it back
    "5/5,       trained 8,    always, 8/8,       TRAINED",
    "5/5 s3,    trained 8,    always, 8/8 s3,    TRAINED",
    "5/5 p,     trained 8,    always, 5/8 p,     GATED",
    "5/5,       waiting 8,    manual, 5/8,       GATED",
    "5/7 s3 p,  waiting 8,    manual, 5/8 s3 p,  GATED",
    "2/5,       trained 8,    better, 8/8,       TRAINED",
    // imported: as trained under always
    "5/5,       imported 8,   manual, 8/8,       IMPORTED",
    "5/5 p,     imported 8,   always, 5/8 p,     IMPORTED",
    // trained again, and 4 to 7 are gone: serves but for what stays by a pin or a gate
    "5/5,       retrained 8,  always, 8/8,       TRAINED",
    "3/3,       retrained 8,  always, 8/8,       TRAINED",
    "3/5,       retrained 8,  manual, 3/8,       TRAINED",
    "4/5,       retrained 8,  manual, 8/8,       TRAINED",
    "3/5 p,     retrained 8,  always, 3/8 p,     TRAINED",
    "3/3 p,     retrained 8,  always, 3/8 p,     TRAINED",
    "5/7 p,     retrained 8,  always, 8/8,       TRAINED",
    "5/5 s3,    retrained 8,  always, 8/8 s3,    TRAINED",
    "5/5 s6,    retrained 8,  always, 8/8,       TRAINED",
    "3/5 s6 w,  retrained 8,  manual, 3/8,       TRAINED",
    // rolled back: serves and training grows from it
    "5/5,       rollback 3,   always, 3/3,       ROLLED_BACK",
    "5/5 p,     rollback 3,   always, 3/3 p,     ROLLED_BACK",
    "5/5 s3,    rollback 3,   always, 3/3,       ROLLED_BACK",
    "5/5 s2,    rollback 3,   manual, 3/3 s2,    ROLLED_BACK",
    // pinned: serves, and training goes on
    "5/5,       pin 3,        always, 3/5 p,     PINNED",
    "5/5,       pin 5,        always, 5/5 p,     PINNED",
    "3/5 p,     pin 4,        always, 4/5 p,     PINNED",
    "5/5 s3,    pin 3,        always, 3/5 p,     PINNED",
    // unpinned: the tip serves, but under the manual gate
    "3/5 p,     unpin,        always, 5/5,       UNPINNED",
    "3/5 p,     unpin,        better, 5/5,       UNPINNED",
    "3/5 p,     unpin,        manual, 3/5,       UNPINNED",
    "3/5 p,     unpin,        shown,  3/5,       UNPINNED",
    "3/5 s5 p,  unpin,        always, 5/5,       UNPINNED",
    // shadows come, change and go
    "5/5,       shadow 3,     always, 5/5 s3,    SHADOWED",
    "5/5 s3 p,  shadow 4,     always, 5/5 s4 p,  SHADOWED",
    "5/5 s3,    unshadow,     always, 5/5,       SHADOWED",
    // with the wish to promote it, which stays as long as it shadows
    "5/5,       wish 3,       manual, 5/5 s3 w,  SHADOWED",
    "5/5,       wish 3,       better, 5/5 s3 w,  SHADOWED",
    "5/5,       wish 7,       always, 5/5 s7 w,  SHADOWED",
    "5/5 s3 w,  shadow 3,     manual, 5/5 s3,    SHADOWED",
    "5/5 s3 w,  trained 8,    better, 8/8 s3 w,  TRAINED",
    "5/5 s3 w,  waiting 8,    manual, 5/8 s3 w,  GATED",
    "5/5 s3 w,  pin 4,        manual, 4/5 s3 w p, PINNED",
    "5/5 s3 w,  note,         manual, 5/5 s3 w,  OTHER",
    "5/5 s3 w,  promote 3,    manual, 3/5,       PROMOTED",
    "5/5 s3 w,  rollback 2,   manual, 2/2 s3 w,  ROLLED_BACK",
    // promoted: an ancestor of the tip leaves it, another becomes it
    "3/5,       promote 5,    manual, 5/5,       PROMOTED",
    "3/5,       promote 4,    manual, 4/5,       PROMOTED",
    "5/7,       promote 3,    manual, 3/7,       PROMOTED",
    "5/7,       promote 6,    manual, 6/7,       PROMOTED",
    "5/5 s7,    promote 7,    manual, 7/7,       PROMOTED",
    "5/7,       promote 4,    always, 4/4,       PROMOTED",
    // something else was done
    "3/5 s2 p,  note,         manual, 3/5 s2 p,  OTHER",
  })
  void next_change_givesTheHead(
      String present, String change, String gate, String expected, HeadReason reason)
      throws LedgerException {
    ModelHead before = head(present);

    ModelHead after =
        HeadRules.next(
            before,
            change(change),
            VERSIONS,
            Gate.valueOf(gate.toUpperCase(Locale.ROOT)),
            new HeadRules.Author("ada", "why", NOW));

    assertThat(spelled(after)).isEqualTo(expected);
    assertThat(after.getReason()).isEqualTo(reason);
    assertThat(after.getSequence()).isEqualTo(before.getSequence() + 1);
    assertThat(after.getFormat()).isEqualTo(after.getPromotion() == null ? 3 : 4);
    assertThat(after.getModel()).isEqualTo("m");
    assertThat(after.getBy()).isEqualTo("ada");
    assertThat(after.getNote()).isEqualTo("why");
    assertThat(after.getAt()).isEqualTo(NOW);
    assertThat(after.getHash()).isEqualTo(hash(after.getVersion()));
    assertThat(HeadRules.tipHash(after)).isEqualTo(digest(HeadRules.tipVersion(after)));
    assertThat(after.getShadowHash())
        .isEqualTo(after.getShadowVersion() == null ? null : hash(after.getShadowVersion()));
  }

  @ParameterizedTest
  @CsvSource({
    "5/5,    unpin,      model m is not pinned",
    "5/5,    unshadow,   no version of m shadows the one that serves",
    "5/5,    wish 5,     'version 5 of m serves, so it cannot shadow itself'",
    "6/6,    wish 3,     'whatever is trained next from version 6 of m serves in place of version"
        + " 3, which it grew from: set update.gate to manual first, or roll back to it'",
    "6/6,    surely 5,   'the rate of errors of a promotion must be above 0 and below 1: 0.0'",
    "5/5,    shadow 5,   'version 5 of m serves, so it cannot shadow itself'",
    "5/6 p,  promote 6,  'version 5 of m is pinned, so no other can be promoted: unpin it first'",
    "5/5,    rollback 9, version 9 of m is not on the topic; it has 0 to 7",
    "5/5,    pin 9,      version 9 of m is not on the topic; it has 0 to 7",
    "5/5,    shadow 9,   version 9 of m is not on the topic; it has 0 to 7",
    "5/5,    promote 9,  version 9 of m is not on the topic; it has 0 to 7",
  })
  void next_changeThatIsNotToBeMade_saysWhy(String present, String change, String sentence) {
    assertThatThrownBy(
            () ->
                HeadRules.next(
                    head(present),
                    change(change),
                    VERSIONS,
                    Gate.ALWAYS,
                    new HeadRules.Author("ada", "", NOW)))
        .isInstanceOf(LedgerException.class)
        .hasMessage(sentence);
  }

  @Test
  void next_ofAnUnnumberedHead_isTheFirstNumberedOne() throws LedgerException {
    ModelHead old =
        new ModelHead(
            1,
            "m",
            5L,
            hash(5),
            null,
            HeadReason.TRAINED,
            "trainer",
            "",
            Instant.EPOCH,
            null,
            null,
            null,
            false,
            0L,
            null);

    ModelHead next =
        HeadRules.next(
            old,
            new HeadChange.Pinned(3),
            VERSIONS,
            Gate.ALWAYS,
            new HeadRules.Author("ada", "", NOW));

    assertThat(spelled(next)).isEqualTo("3/5 p");
    assertThat(next.getSequence()).isEqualTo(1);
  }

  @Test
  void wish_isNumberedByTheHeadThatAskedForIt_andStaysAsItWas() throws LedgerException {
    var ada = new HeadRules.Author("ada", "", NOW);

    ModelHead asked =
        HeadRules.next(head("5/5 s3 w"), change("wish 3"), VERSIONS, Gate.MANUAL, ada);
    ModelHead later = HeadRules.next(asked, change("waiting 8"), VERSIONS, Gate.MANUAL, ada);

    assertThat(asked.getPromotion()).isEqualTo(new PromotionWish(PromoteWhen.BETTER, 0.01, 12L));
    assertThat(later.getPromotion()).isEqualTo(asked.getPromotion());
    assertThat(new HeadMove(head("5/5"), asked).changes())
        .containsExactly(
            "version 3 scores beside it, unserved",
            "version 3 is promoted once it is shown to be better (error 0.01)");
    ModelHead taken = HeadRules.next(asked, change("shadow 3"), VERSIONS, Gate.MANUAL, ada);
    assertThat(new HeadMove(asked, taken).changes())
        .containsExactly("version 3 waits for somebody who promotes it");
  }

  private static HeadChange change(String text) {
    String[] words = text.split(" ", -1);
    long version = words.length == 1 ? -1 : Long.parseLong(words[1]);
    return switch (words[0]) {
      case "trained" -> new HeadChange.Trained(version, digest(version), true);
      case "waiting" -> new HeadChange.Trained(version, digest(version), false);
      case "retrained" ->
          new HeadChange.Retrained(version, digest(version), Set.of(4L, 5L, 6L, 7L));
      case "imported" -> new HeadChange.Imported(version, digest(version));
      case "rollback" -> new HeadChange.RolledBack(version);
      case "pin" -> new HeadChange.Pinned(version);
      case "unpin" -> new HeadChange.Unpinned();
      case "shadow" -> new HeadChange.Shadowed(version);
      case "wish" -> new HeadChange.Shadowed(version, 0.01);
      case "surely" -> new HeadChange.Shadowed(version, 0.0);
      case "note" -> new HeadChange.Noted();
      case "unshadow" -> new HeadChange.Unshadowed();
      case "promote" -> new HeadChange.Promoted(version);
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static ModelHead head(String text) {
    String[] words = text.split("[ /]", -1);
    Long shadow = null;
    boolean pinned = false;
    PromotionWish wish = null;
    for (String word : words) {
      wish = word.equals("w") ? WISH : wish;
      shadow = word.startsWith("s") ? (Long) Long.parseLong(word.substring(1)) : shadow;
      pinned |= word.equals("p");
    }
    long version = Long.parseLong(words[0]);
    long tip = Long.parseLong(words[1]);
    return new ModelHead(
        2,
        "m",
        version,
        hash(version),
        shadow,
        HeadReason.TRAINED,
        "trainer",
        "",
        Instant.EPOCH,
        shadow == null ? null : hash(shadow),
        tip,
        hash(tip),
        pinned,
        11L,
        wish);
  }

  private static String spelled(ModelHead head) {
    @Nullable Long shadow = head.getShadowVersion();
    return head.getVersion()
        + "/"
        + HeadRules.tipVersion(head)
        + (shadow == null ? "" : " s" + shadow)
        + (head.getPromotion() == null ? "" : " w")
        + (head.getPinned() ? " p" : "");
  }

  private static Digest digest(long version) {
    return Digest.of(new byte[] {(byte) version});
  }

  private static Sha256Digest hash(long version) {
    return new Sha256Digest(digest(version).bytes());
  }
}
