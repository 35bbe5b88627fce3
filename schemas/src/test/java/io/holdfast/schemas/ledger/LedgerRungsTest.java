package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.model.Tree;
import io.holdfast.boosting.select.GammaVariant;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerRung;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Versions with a ladder, on the model topic. */
class LedgerRungsTest {
  private static final HeadRules.Author ANA = new HeadRules.Author("ana", "", Instant.EPOCH);

  private final RandomModels random = new RandomModels(9);
  private final LedgerCodec.Encoded zero =
      LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
  private final LedgerCodec.Encoded one =
      LedgerCodec.encode(
          RandomModels.draft(zero.version(), zero.version().model().plus(random.segment(2, 4))));
  private final Ledger ledger = new Ledger();

  private void apply(LedgerRecord record) {
    var _ = ledger.apply(record.key().toString(), record.value());
  }

  @Test
  void apply_versionWithRungs_servesTheNamedOne_andKeepsAllSegments() {
    Model grown = one.version().model();
    List<GammaVariant> rungs =
        List.of(new GammaVariant(1, otherValues(grown)), new GammaVariant(9, grown));
    LedgerCodec.Draft draft = RandomModels.draft(one.version(), grown);
    LedgerCodec.Encoded climbed = LedgerCodec.encode(draft.withLadder(7, rungs, 1.0));
    assertThat(climbed.records()).hasSize(2); // the rung of 9 has published trees
    List.of(zero, one, climbed).forEach(version -> version.records().forEach(this::apply));
    apply(LedgerCodecTest.head(climbed.version()));

    LedgerVersion served = ledger.serving("bikes").orElseThrow();
    assertThat(served.grown()).isEqualTo(grown);
    assertThat(served.model()).isEqualTo(rungs.getFirst().model());
    assertThat(served.servedGamma()).isEqualTo(1);
    assertThat(served.rungs()).extracting(LedgerRung::gamma).containsExactly(1.0, 9.0);
    assertThat(served).isEqualTo(climbed.version());

    LedgerCodec.Encoded next =
        LedgerCodec.encode(
            RandomModels.draft(served, grown).withLadder(7, served.engineRungs(), null));
    assertThat(next.records()).hasSize(1); // all segments are there
    assertThat(next.version().model()).isEqualTo(grown);
  }

  @Test
  void encode_rungsThatAreNone_areRefused() {
    Model grown = one.version().model();
    LedgerCodec.Draft draft = RandomModels.draft(one.version(), grown);
    assertThatThrownBy(() -> encode(draft, List.of(new GammaVariant(7, grown)), null))
        .hasMessageContaining("not the version's own: 7.0");
    assertThatThrownBy(
            () ->
                encode(
                    draft, List.of(new GammaVariant(3, grown), new GammaVariant(2, grown)), null))
        .hasMessageContaining("must be ascending");
    assertThatThrownBy(() -> encode(draft, List.of(new GammaVariant(3, grown)), 4.0))
        .hasMessage("the rung that scores must be one of the version's: 4.0");
    assertThatThrownBy(
            () -> encode(draft, List.of(new GammaVariant(3, RandomModels.untrained())), null))
        .hasMessageContaining("as many segments");
  }

  private static LedgerCodec.Encoded encode(
      LedgerCodec.Draft draft, List<GammaVariant> rungs, @Nullable Double served) {
    return LedgerCodec.encode(draft.withLadder(7, rungs, served));
  }

  private static Model otherValues(Model model) {
    List<Segment> segments = new ArrayList<>();
    for (Segment segment : model.segments()) {
      List<Tree> trees = new ArrayList<>();
      for (Tree tree : segment.trees()) {
        double[] values = new double[tree.leaves() * tree.outputs()];
        Arrays.setAll(values, k -> 0.5 + k);
        trees.add(tree.withLeafValues(values));
      }
      segments.add(new Segment(trees, segment.decay()));
    }
    return new Model(model.objective(), model.features(), model.base(), segments);
  }

  /** What serves is a version of its own: the same segments, another rung, no rows. */
  @Test
  void climb_toAnotherRung_isAVersionThatNamesTheSameSegments() throws LedgerException {
    ModelHead head = publishedWithRungs();
    LedgerVersion tip = ledger.tip("bikes").orElseThrow();

    LedgerCodec.Encoded climbed = RungVersion.of(ledger, head, 1);
    assertThat(climbed.records()).hasSize(1); // the manifest alone
    climbed.records().forEach(this::apply);
    var change = new HeadChange.Climbed(climbed.version().number(), climbed.version().hash());
    ModelHead next = HeadRules.next(head, change, ledger.versionsOf("bikes"), Gate.ALWAYS, ANA);
    LedgerCodec.records(next).forEach(this::apply);

    assertThat(next.getReason()).isEqualTo(HeadReason.CLIMBED);
    LedgerVersion served = ledger.serving("bikes").orElseThrow();
    assertThat(served.model()).isEqualTo(tip.rungs().getFirst().model());
    assertThat(served.grown()).isEqualTo(tip.grown());
    assertThat(served.number()).isEqualTo(tip.number() + 1);
    assertThat(served.manifest().getWindow()).isEmpty();
    assertThat(served.manifest().getParentHash().bytes()).isEqualTo(tip.hash().bytes());

    LedgerCodec.Encoded back = RungVersion.of(ledger, next, 7);
    assertThat(back.version().model()).isEqualTo(tip.grown());
  }

  @Test
  void climb_whereItMakesNoSense_isRefused() throws LedgerException {
    ModelHead head = publishedWithRungs();
    assertThatThrownBy(() -> RungVersion.of(ledger, head, 2))
        .hasMessage("version 2 of bikes has no rung of gamma 2.0, but of 1.0, 7.0, 9.0");
    assertThatThrownBy(() -> RungVersion.of(ledger, head, 7))
        .hasMessage("version 2 of bikes scores with gamma 7.0 already");
    ModelHead pinned =
        HeadRules.next(
            head, new HeadChange.Pinned(2), ledger.versionsOf("bikes"), Gate.ALWAYS, ANA);
    LedgerVersion two = ledger.tip("bikes").orElseThrow();
    assertThatThrownBy(
            () ->
                HeadRules.next(
                    pinned,
                    new HeadChange.Climbed(3, two.hash()),
                    ledger.versionsOf("bikes"),
                    Gate.ALWAYS,
                    ANA))
        .hasMessageContaining("is pinned, so no other rung can serve");
  }

  private ModelHead publishedWithRungs() {
    Model grown = one.version().model();
    List<GammaVariant> rungs =
        List.of(new GammaVariant(1, otherValues(grown)), new GammaVariant(9, grown));
    LedgerCodec.Encoded two =
        LedgerCodec.encode(RandomModels.draft(one.version(), grown).withLadder(7, rungs, null));
    List.of(zero, one, two).forEach(version -> version.records().forEach(this::apply));
    ModelHead head = HeadRules.first(two.version(), HeadReason.TRAINED, ANA);
    LedgerCodec.records(head).forEach(this::apply);
    return head;
  }
}
