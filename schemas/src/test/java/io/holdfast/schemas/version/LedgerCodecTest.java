package io.holdfast.schemas.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.ledger.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class LedgerCodecTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006Z");
  private final RandomModels random = new RandomModels(5);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void encode_appliedToLedger_scoresBitIdentically(long seed) {
    RandomModels models = new RandomModels(seed);
    LedgerCodec.Encoded zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
    Model trained =
        new Model(
            new Logistic(),
            RandomModels.FEATURES,
            0.25,
            List.of(models.segment(5, 8), new Segment(models.segment(3, 2).trees(), 0.5)));
    LedgerCodec.Encoded one = LedgerCodec.encode(RandomModels.draft(zero.version(), trained));

    LedgerVersion read = serve(List.of(zero, one));

    assertThat(read).isEqualTo(one.version());
    assertThat(read.model()).isEqualTo(trained);
    Scorer before = Scorer.of(trained);
    Scorer after = Scorer.of(read.model());
    for (int i = 0; i < 500; i++) {
      double[] row = models.row();
      assertThat(Double.doubleToRawLongBits(after.score(row)))
          .isEqualTo(Double.doubleToRawLongBits(before.score(row)));
    }
  }

  @Test
  void encode_equalDrafts_giveEqualBytes() {
    LedgerCodec.Encoded once =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
    LedgerCodec.Encoded again =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));

    assertThat(again.version().hash()).isEqualTo(once.version().hash());
    assertThat(again.records().getFirst().value()).isEqualTo(once.records().getFirst().value());
  }

  @Test
  void encode_segmentsOfParent_areNamedNotWritten() {
    LedgerVersion zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();
    LedgerVersion one =
        LedgerCodec.encode(RandomModels.draft(zero, zero.model().plus(random.segment(4, 6))))
            .version();
    List<Segment> decayed =
        List.of(new Segment(one.model().segments().getFirst().trees(), 0.9), random.segment(2, 3));
    Model grown = new Model(new Logistic(), RandomModels.FEATURES, 0, decayed);

    LedgerCodec.Encoded two = LedgerCodec.encode(RandomModels.draft(one, grown));

    assertThat(two.records())
        .extracting(record -> record.key().getClass().getSimpleName())
        .containsExactly("SegmentKey", "VersionKey");
    assertThat(two.version().segments().getFirst()).isEqualTo(one.segments().getFirst());
    assertThat(two.version().manifest().getSegments().getFirst().getDecay()).isEqualTo(0.9);
  }

  @Test
  void encode_largeSegment_isSplitAndScoresTheSame() {
    Segment large = random.segment(200, 200);
    LedgerVersion zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();
    Model trained = RandomModels.untrained().plus(large);

    LedgerCodec.Encoded one = LedgerCodec.encode(RandomModels.draft(zero, trained));
    // The same trees in one piece again: not the parent's instances, yet the same digests.
    LedgerCodec.Encoded two =
        LedgerCodec.encode(RandomModels.draft(one.version(), trained.plus(random.segment(1, 2))));

    assertThat(one.version().segments()).hasSizeGreaterThan(1);
    assertThat(one.records())
        .allSatisfy(record -> assertThat(record.value()).hasSizeLessThan((512 << 10) + 64));
    assertThat(one.version().model().trees()).isEqualTo(200);
    assertThat(two.records()).hasSize(2);
    double[] row = random.row();
    assertThat(Scorer.of(one.version().model()).score(row))
        .isEqualTo(Scorer.of(trained).score(row));
  }

  /** The cost of a version is what it adds, not what is there. */
  @Test
  void encode_tenTreesMoreThanAThousand_costsAboutTenTrees() {
    LedgerVersion parent =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();
    for (int segment = 0; segment < 100; segment++) {
      Model model = parent.model().plus(random.segment(10, 31));
      parent = LedgerCodec.encode(RandomModels.draft(parent, model)).version();
    }

    LedgerCodec.Encoded next =
        LedgerCodec.encode(RandomModels.draft(parent, parent.model().plus(random.segment(10, 31))));

    assertThat(next.version().model().trees()).isEqualTo(1_010);
    assertThat(next.records()).hasSize(2);
    int trees = bytes(next.records().getFirst());
    int manifest = bytes(next.records().getLast());
    int head = bytes(head(next.version()));
    assertThat(trees).isBetween(5_000, 10_000);
    assertThat(manifest).as("101 segments of 32 bytes and a little").isBetween(3_500, 5_500);
    assertThat(head).isLessThan(300);
    assertThat(trees + manifest + 2 * head).isLessThan(2 * trees);
  }

  private static int bytes(LedgerRecord record) {
    return record.value() == null ? 0 : record.value().length;
  }

  @Test
  void encode_whatReadersRefuse_isRefused() {
    LedgerVersion zero =
        LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained())).version();
    Model other = new Model(new Logistic(), List.of(new Feature.Numeric("other")), 0, List.of());
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 100_001; i++) {
      many.add("c" + i);
    }
    Model crowded =
        new Model(new Logistic(), List.of(new Feature.Categorical("city", many)), 0, List.of());

    assertThatThrownBy(() -> LedgerCodec.encode(RandomModels.draft(zero, other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have the features of its parent");
    assertThatThrownBy(() -> LedgerCodec.encode(RandomModels.draft(null, crowded)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the categories of city must be at most 100000: 100001");
    Model monstrous = RandomModels.untrained().plus(random.segment(1, 40_000));
    assertThatThrownBy(() -> LedgerCodec.encode(RandomModels.draft(zero, monstrous)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "a tree of 40000 leaves with 1 values each takes \\d+ bytes, and a model keeps trees of"
                + " at most 524288: set maxLeaves lower");
  }

  public static LedgerRecord head(LedgerVersion version) {
    return LedgerCodec.encode(
        LedgerCodec.head(version, HeadReason.TRAINED, "trainer", "a note", NOW));
  }

  public static LedgerVersion serve(List<LedgerCodec.Encoded> versions) {
    Ledger ledger = new Ledger();
    for (LedgerCodec.Encoded version : versions) {
      version.records().forEach(record -> ledger.apply(record.key().toString(), record.value()));
    }
    LedgerRecord head = head(versions.getLast().version());
    assertThat(ledger.apply(head.key().toString(), head.value()))
        .isInstanceOf(Ledger.Event.Serves.class);
    return ledger.serving("bikes").orElseThrow();
  }
}
