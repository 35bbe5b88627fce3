package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerException.Reason;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
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
    "3/5 s5 p,  unpin,        always, 5/5,       UNPINNED",
    // shadows come, change and go
    "5/5,       shadow 3,     always, 5/5 s3,    SHADOWED",
    "5/5 s3 p,  shadow 4,     always, 5/5 s4 p,  SHADOWED",
    "5/5 s3,    unshadow,     always, 5/5,       SHADOWED",
    // promoted: an ancestor of the tip leaves it, another becomes it
    "3/5,       promote 5,    manual, 5/5,       PROMOTED",
    "3/5,       promote 4,    manual, 4/5,       PROMOTED",
    "5/7,       promote 3,    manual, 3/7,       PROMOTED",
    "5/7,       promote 6,    manual, 6/7,       PROMOTED",
    "5/5 s7,    promote 7,    manual, 7/7,       PROMOTED",
    "5/7,       promote 4,    always, 4/4,       PROMOTED",
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
    assertThat(after.getFormat()).isEqualTo(3);
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
            0L);

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

  private static HeadChange change(String text) {
    String[] words = text.split(" ");
    long version = words.length == 1 ? -1 : Long.parseLong(words[1]);
    return switch (words[0]) {
      case "trained" -> new HeadChange.Trained(version, digest(version), true);
      case "waiting" -> new HeadChange.Trained(version, digest(version), false);
      case "imported" -> new HeadChange.Imported(version, digest(version));
      case "rollback" -> new HeadChange.RolledBack(version);
      case "pin" -> new HeadChange.Pinned(version);
      case "unpin" -> new HeadChange.Unpinned();
      case "shadow" -> new HeadChange.Shadowed(version);
      case "unshadow" -> new HeadChange.Unshadowed();
      case "promote" -> new HeadChange.Promoted(version);
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static ModelHead head(String text) {
    String[] words = text.split("[ /]");
    Long shadow = null;
    boolean pinned = false;
    for (String word : words) {
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
        11L);
  }

  private static String spelled(ModelHead head) {
    @Nullable Long shadow = head.getShadowVersion();
    return head.getVersion()
        + "/"
        + HeadRules.tipVersion(head)
        + (shadow == null ? "" : " s" + shadow)
        + (head.getPinned() ? " p" : "");
  }

  private static Digest digest(long version) {
    return Digest.of(new byte[] {(byte) version});
  }

  private static Sha256Digest hash(long version) {
    return new Sha256Digest(digest(version).bytes());
  }
}
