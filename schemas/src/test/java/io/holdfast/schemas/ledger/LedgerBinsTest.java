package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Bins;
import io.holdfast.boosting.data.FeatureBins;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.ledger.Ledger.Event;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import io.holdfast.schemas.wire.Contracts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bins on the model topic: a record of their own, which versions name. */
class LedgerBinsTest {
  private static final Bins FIRST = bins(0.5);
  private static final Bins SECOND = bins(0.75);

  private final RandomModels random = new RandomModels(5);
  private final LedgerCodec.Encoded zero =
      LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
  private final LedgerCodec.Encoded one = next(zero, FIRST);
  private final LedgerCodec.Encoded two = next(one, FIRST);
  private final LedgerCodec.Encoded three = next(two, SECOND);
  private final PublishedVersions published = new PublishedVersions();
  private final Ledger ledger = published.ledger();

  @Test
  void encode_newBins_areWrittenBeforeTheManifest_andKeptOnesAreNamed() {
    assertThat(one.records())
        .extracting(record -> record.key().getClass().getSimpleName())
        .containsExactly("SegmentKey", "BinsKey", "VersionKey");
    assertThat(two.records())
        .extracting(record -> record.key().getClass().getSimpleName())
        .containsExactly("SegmentKey", "VersionKey");
    assertThat(two.version().manifest().getBins()).isEqualTo(one.version().manifest().getBins());
    assertThat(three.records()).hasSize(3);
    assertThat(zero.version().manifest().getBins()).isNull();
    // Equal ones that are another instance are the same bytes.
    assertThat(next(one, bins(0.5)).records()).hasSize(2);
    assertThat(next(one, null).version().manifest().getBins()).isNull();
  }

  @Test
  void apply_versions_haveTheirBins() throws LedgerException {
    published.publish(zero, one, two, three);

    assertThat(ledger.serving("bikes")).contains(three.version());
    assertThat(ledger.version("bikes", 0).bins()).isNull();
    assertThat(ledger.version("bikes", 1).bins()).isEqualTo(FIRST);
    assertThat(ledger.version("bikes", 2).bins()).isSameAs(ledger.version("bikes", 1).bins());
    assertThat(ledger.version("bikes", 3).bins()).isEqualTo(SECOND);
    assertThat(ledger.binsHeld("bikes")).isEqualTo(2);
    assertThat(LedgerCodec.encode(draft(ledger.version("bikes", 3), SECOND)).records()).hasSize(2);
  }

  @Test
  void apply_missingBins_keepTheOldVersionUntilTheyCome() {
    published.publish(zero);
    LedgerRecord record = one.records().get(1);
    one.records().stream()
        .filter(other -> !other.key().equals(record.key()))
        .forEach(published::apply);

    assertThat(published.rejection(LedgerCodecTest.head(one.version())))
        .isEqualTo(
            "MISSING_BINS: version 1 of bikes lacks its bins "
                + Digest.fromBytes(one.version().manifest().getBins().bytes()));
    assertThat(ledger.serving("bikes").orElseThrow().number()).isZero();

    assertThat(published.apply(record)).isInstanceOf(Event.Serves.class);
    assertThat(ledger.serving("bikes").orElseThrow()).isEqualTo(one.version());
  }

  @Test
  void apply_corruptBins_areRefused() {
    LedgerRecord record = one.records().get(1);
    byte[] value = record.value() == null ? new byte[0] : record.value();
    byte[] turned = value.clone();
    turned[turned.length - 2] ^= 1;

    assertThat(published.rejection(new LedgerRecord(record.key(), turned)))
        .startsWith("HASH_MISMATCH: the bytes under bins ");
    assertThat(published.rejection(new LedgerRecord(record.key(), new byte[1_000_011])))
        .startsWith("LIMIT_EXCEEDED: the bytes of a record of bins must be at most 1000000: ");

    // Bytes that are no bins, under their own hash.
    byte[] none = Arrays.copyOf(value, value.length - 3);
    published.publish(zero);
    named(none).forEach(published::apply);
    assertThat(published.rejection(LedgerCodecTest.head(forged(none)))).startsWith("BAD_RECORD: ");
    assertThat(ledger.serving("bikes").orElseThrow().number()).isZero();
  }

  @Test
  void apply_binsOfWhatIsNoNumericFeature_areRefused() throws LedgerException {
    Bins others = new Bins(2, List.of(new FeatureBins(1, new double[0], new int[2])));
    assertThatThrownBy(() -> next(zero, others))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version 1 has bins of feature 1, which is no numeric feature of it");
    Bins beyond = new Bins(2, List.of(new FeatureBins(3, new double[0], new int[2])));
    assertThatThrownBy(() -> next(zero, beyond)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofScorer_damagedBins_doNotKeepAVersionFromServing() {
    Ledger scorer = Ledger.ofScorer(Set.of("bikes"));
    for (LedgerCodec.Encoded version : List.of(zero, one)) {
      for (LedgerRecord record : version.records()) {
        byte[] value = record.key() instanceof LedgerKey.BinsKey ? new byte[3] : record.value();
        assertThat(scorer.apply(record.key().toString(), value)).isInstanceOf(Event.Stored.class);
      }
    }
    LedgerRecord head = LedgerCodecTest.head(one.version());

    assertThat(scorer.apply(head.key().toString(), head.value())).isInstanceOf(Event.Serves.class);
    LedgerVersion serving = scorer.serving("bikes").orElseThrow();
    assertThat(serving.hash()).isEqualTo(one.version().hash());
    assertThat(serving.bins()).isNull();
    assertThat(scorer.binsHeld("bikes")).isZero();
  }

  @Test
  void encode_moreThanARecordHolds_areNotKept() {
    double[] thresholds = new double[40_000];
    Arrays.setAll(thresholds, k -> k);
    var many = new FeatureBins(0, thresholds, new int[thresholds.length + 2]);
    var more = new FeatureBins(2, thresholds, new int[thresholds.length + 2]);

    LedgerCodec.Encoded held = next(zero, new Bins(65_535, List.of(many)));
    LedgerCodec.Encoded tooMany = next(zero, new Bins(65_535, List.of(many, more)));

    assertThat(held.version().bins()).isNotNull();
    assertThat(tooMany.records()).hasSize(2);
    assertThat(tooMany.version().bins()).isNull();
    assertThat(tooMany.version().manifest().getBins()).isNull();
  }

  @Test
  void tombstones_versionsThatLeave_takeTheBinsThatNoneIsLeftToName() {
    HeldVersions held = new HeldVersions();
    List.of(zero, one, two).forEach(version -> held.add(version.version().manifest()));
    ModelHead head = PublishedVersions.headOf(three.version());

    assertThat(bins(held.tombstones(three.version().manifest(), head, 3))).isEmpty();
    assertThat(bins(held.tombstones(three.version().manifest(), head, 2))).isEmpty();
    assertThat(bins(held.tombstones(three.version().manifest(), head, 1)))
        .containsExactly(one.records().get(1).key());

    // The newest names them again.
    LedgerCodec.Encoded again = next(two, FIRST);
    assertThat(
            bins(
                held.tombstones(
                    again.version().manifest(), PublishedVersions.headOf(again.version()), 1)))
        .isEmpty();
  }

  @Test
  void removeVersions_takesTheirBinsAlong() {
    published.publish(zero, one, two, three);

    ledger.apply("bikes/version/1", null);
    assertThat(ledger.binsHeld("bikes")).isEqualTo(2);
    ledger.apply("bikes/version/2", null);
    assertThat(ledger.binsHeld("bikes")).isEqualTo(1);
  }

  @Test
  void audit_missingOrDamagedBins_isSaid() {
    List<LedgerRecord> log = new ArrayList<>();
    for (LedgerCodec.Encoded version : List.of(zero, one)) {
      log.addAll(version.records());
      log.addAll(LedgerCodec.records(PublishedVersions.headOf(version.version())));
    }
    assertThat(PublishedVersions.violations(log)).noneMatch(detail -> detail.contains("bins"));

    LedgerRecord record = one.records().get(1);
    int place = log.indexOf(record);
    List<LedgerRecord> without = new ArrayList<>(log);
    without.remove(place);
    String digest = ((LedgerKey.BinsKey) record.key()).digest().hex();
    assertThat(PublishedVersions.violations(without))
        .contains(
            "version 1: version 1 of bikes lacks its bins " + digest,
            "head 1 names version 1, whose record of bins " + digest + " was not there");

    log.set(place, new LedgerRecord(record.key(), new byte[20]));
    assertThat(PublishedVersions.violations(log))
        .anyMatch(
            detail -> detail.startsWith("bikes/bins/" + digest + ": its bytes have the hash"));
  }

  @Test
  void modelFile_roundTrip_keepsBins(@TempDir Path folder) throws IOException, ModelFileException {
    List<LedgerRecord> records = new ArrayList<>();
    for (LedgerCodec.Encoded version : List.of(zero, one, two)) {
      records.addAll(version.records());
    }
    records.add(LedgerCodecTest.head(two.version()));
    Path file = folder.resolve("m.model");

    ModelFile.write(OutputFile.of(file), records);

    assertThat(ModelFile.read(file)).isEqualTo(two.version());
    assertThat(ModelFile.read(file).bins()).isEqualTo(FIRST);
    ModelFile.write(
        OutputFile.of(file),
        records.stream().filter(r -> !(r.key() instanceof LedgerKey.BinsKey)).toList());
    assertThatThrownBy(() -> ModelFile.read(file))
        .hasMessageContaining("version 2 of bikes lacks its bins");
  }

  private static Bins bins(double threshold) {
    return new Bins(
        255,
        List.of(
            new FeatureBins(0, new double[] {-1, threshold}, new int[] {7, 8, 9, 1}),
            new FeatureBins(2, new double[] {3}, new int[] {20, 5, 0})));
  }

  private LedgerCodec.Encoded next(LedgerCodec.Encoded parent, @Nullable Bins bins) {
    return LedgerCodec.encode(draft(parent.version(), bins));
  }

  private LedgerCodec.Draft draft(LedgerVersion parent, @Nullable Bins bins) {
    return RandomModels.draft(parent, parent.model().plus(random.segment(1, 3)))
        .withKept(new Kept(bins, null));
  }

  /** The records of version 1, if it named these bytes. */
  private List<LedgerRecord> named(byte[] bins) {
    LedgerVersion version = forged(bins);
    Digest digest = Digest.fromBytes(version.manifest().getBins().bytes());
    return List.of(
        one.records().getFirst(),
        new LedgerRecord(new LedgerKey.BinsKey("bikes", digest), bins),
        new LedgerRecord(
            new LedgerKey.VersionKey("bikes", 1), Contracts.MANIFEST.encode(version.manifest())));
  }

  private LedgerVersion forged(byte[] bins) {
    Digest digest = Digest.of(Arrays.copyOfRange(bins, 10, bins.length));
    ModelManifest manifest =
        ModelManifest.newBuilder(one.version().manifest())
            .setBins(new Sha256Digest(digest.bytes()))
            .build();
    return PublishedVersions.forged(one.version(), manifest);
  }

  private static List<LedgerKey> bins(List<LedgerRecord> tombstones) {
    return tombstones.stream()
        .map(LedgerRecord::key)
        .filter(LedgerKey.BinsKey.class::isInstance)
        .toList();
  }
}
