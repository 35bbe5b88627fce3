package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.split.TreeLimits;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.OffsetRange;
import io.holdfast.schemas.avro.ReplayQuota;
import io.holdfast.schemas.avro.ReplayedWindow;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import io.holdfast.schemas.wire.Contracts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the next version of a large ensemble writes; docs/formats.md has these figures. */
class VersionCostTest {
  private static final int APPENDED = 10;
  private static final BoosterSettings SETTINGS =
      BoosterSettings.builder(new Squared())
          .gamma(1)
          .rounds(APPENDED)
          .learningRate(0.01)
          .trees(new TreeLimits(31, 64, 3, 1e-3, 0))
          .seed(1)
          .build();

  /** The bytes of a thousand trees' segments, of ten trees each. */
  private static long bytesOfAll;

  private static LedgerVersion thousandTrees;
  private static LedgerCodec.Encoded next;

  @BeforeAll
  static void grow() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 3);
    LedgerVersion parent =
        LedgerCodec.encode(RandomModels.draft(null, untrained(SampleRows.FEATURES))).version();
    while (parent.model().trees() < 1_000) {
      LedgerCodec.Encoded encoded = appended(parent, rows);
      bytesOfAll += size(encoded.records().getFirst());
      parent = encoded.version();
    }
    thousandTrees = parent;
    next = appended(parent, rows);
  }

  @Test
  void tenTreesMore_costWhatTenTreesTake() {
    assertThat(thousandTrees.model().segments()).hasSize(100);
    assertThat(thousandTrees.model().segments().getLast().trees())
        .allSatisfy(tree -> assertThat(tree.leaves()).isEqualTo(31));
    assertThat(next.records()).as("a segment and a manifest").hasSize(2);

    long segment = size(next.records().getFirst());
    assertThat(segment).isEqualTo(9_107);
    assertThat(segment).isCloseTo(bytesOfAll / 100, withinPercentage(2));
  }

  @Test
  void manifest_takesFortyOneBytesASegmentMore() {
    long manifest = size(next.records().getLast());

    assertThat(manifest).isEqualTo(4_412);
    assertThat(manifest - size(manifestOf(thousandTrees))).isEqualTo(41);
  }

  @Test
  void head_takesAHundredBytesTwice() {
    var head = LedgerCodec.head(next.version(), HeadReason.TRAINED, "trainer", "", Instant.EPOCH);

    List<LedgerRecord> records = LedgerCodec.records(head);
    assertThat(records).hasSize(2).allSatisfy(record -> assertThat(size(record)).isEqualTo(102));
  }

  @Test
  void tenThousandCategories_areInEveryManifest() {
    List<Feature> features = new ArrayList<>();
    for (String name : List.of("shop", "article", "postcode")) {
      features.add(
          new Feature.Categorical(
              name,
              IntStream.range(0, 10_000 / 3)
                  .mapToObj(k -> String.format(Locale.ROOT, "%08d", k))
                  .toList()));
    }

    LedgerCodec.Encoded version = LedgerCodec.encode(RandomModels.draft(null, untrained(features)));

    assertThat(size(version.records().getFirst())).isEqualTo(90_203);
  }

  @Test
  void replayBuffer_takesItsWindowsPartitionsAndEnvironments() {
    List<ReplayedWindow> replay = new ArrayList<>();
    for (int window = 0; window < 50; window++) {
      long from = 100_000 + 400L * window;
      replay.add(
          new ReplayedWindow(
              IntStream.range(0, 3)
                  .mapToObj(p -> new OffsetRange("bikes.examples", p, from, from + 400))
                  .toList(),
              IntStream.range(0, 5).mapToObj(e -> new ReplayQuota("season " + e, 150)).toList()));
    }
    var draft = RandomModels.draft(null, untrained(SampleRows.FEATURES));
    var remembering =
        new LedgerCodec.Draft(
            draft.model(),
            draft.version(),
            draft.parent(),
            draft.trained(),
            draft.gamma(),
            draft.window(),
            draft.memory(),
            draft.environments(),
            draft.seed(),
            draft.settings(),
            draft.metrics(),
            draft.programVersion(),
            new LedgerCodec.Extras(replay, 0, List.of(), null, Kept.NONE));

    assertThat(
            size(LedgerCodec.encode(remembering).records().getFirst())
                - size(LedgerCodec.encode(draft).records().getFirst()))
        .isEqualTo(6_251);
  }

  private static Model untrained(List<Feature> features) {
    return Booster.untrained(SETTINGS, features);
  }

  private static LedgerCodec.Encoded appended(LedgerVersion parent, Rows rows) {
    return LedgerCodec.encode(
        RandomModels.draft(
            parent,
            new Booster(SETTINGS)
                .extend(parent.model(), SampleRows.FEATURES, rows, FitListener.NONE)
                .model()));
  }

  private static LedgerRecord manifestOf(LedgerVersion version) {
    return new LedgerRecord(
        new LedgerKey.VersionKey("bikes", version.number()),
        Contracts.MANIFEST.encode(version.manifest()));
  }

  private static long size(LedgerRecord record) {
    byte[] value = record.value();
    return value == null ? 0 : value.length;
  }
}
