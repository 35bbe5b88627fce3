package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.uncertainty.SpreadModel;
import io.holdfast.boosting.uncertainty.Thresholds;
import io.holdfast.boosting.uncertainty.Thresholds.Range;
import io.holdfast.boosting.uncertainty.Uncertainty;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.ledger.Ledger.Event;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.RandomModels;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How sure scores are, as a part of versions: thresholds in the manifest, spreads in segments. */
class LedgerUncertaintyTest {
  private static final Model UNTRAINED =
      new Model(Objective.named("squared"), RandomModels.FEATURES, 0, List.of());

  private final RandomModels random = new RandomModels(7);
  private final Segment spreads = random.segment(1, 3);
  private final LedgerCodec.Encoded zero = LedgerCodec.encode(RandomModels.draft(null, UNTRAINED));
  private final LedgerCodec.Encoded one = next(zero, uncertainty(spreads, 3));
  private final LedgerCodec.Encoded two = next(one, uncertainty(spreads, 4));
  private final LedgerCodec.Encoded three = next(two, uncertainty(random.segment(1, 2), 0));
  private final PublishedVersions published = new PublishedVersions();
  private final Ledger ledger = published.ledger();

  private static Thresholds thresholds(double scale) {
    return new Thresholds(
        List.of(0.8, 0.95),
        900,
        List.of(0.5, 1.0),
        new TreeMap<>(
            Map.of(
                "", List.of(new Range(-scale, scale), new Range(-2 * scale, 3 * scale)),
                "übersee", List.of(new Range(0, scale), new Range(-scale, scale)))),
        List.of(new Range(-scale, scale), new Range(-3 * scale, 3 * scale)));
  }

  private static Uncertainty uncertainty(Segment segment, long since) {
    Model model =
        new Model(
            Objective.named("gamma"),
            SpreadModel.features(RandomModels.FEATURES),
            Base.constant(-0.25),
            List.of(segment));
    return new Uncertainty(thresholds(1.5), since, model, since + 1);
  }

  private LedgerCodec.Encoded next(LedgerCodec.Encoded parent, @Nullable Uncertainty uncertainty) {
    Model model = parent.version().model().plus(random.segment(1, 3));
    return LedgerCodec.encode(
        RandomModels.draft(parent.version(), model).withUncertainty(uncertainty));
  }

  @Test
  void apply_versions_haveTheirUncertainty_inLedgersOfScorersToo() throws LedgerException {
    published.publish(zero, one, two, three);
    Ledger scorer = Ledger.ofScorer(Set.of("bikes"));
    for (LedgerCodec.Encoded version : List.of(zero, one)) {
      version.records().forEach(it -> scorer.apply(it.key().toString(), it.value()));
    }
    LedgerRecord head = LedgerCodecTest.head(one.version());

    assertThat(ledger.version("bikes", 0).uncertainty()).isNull();
    assertThat(ledger.version("bikes", 1).uncertainty()).isEqualTo(uncertainty(spreads, 3));
    assertThat(ledger.version("bikes", 3)).isEqualTo(three.version());
    assertThat(scorer.apply(head.key().toString(), head.value())).isInstanceOf(Event.Serves.class);
    assertThat(scorer.serving("bikes").orElseThrow().uncertainty())
        .isEqualTo(uncertainty(spreads, 3));
  }

  @Test
  void encode_spreadsOfTheParent_areNamedAndNotWrittenAgain() {
    assertThat(segments(one)).hasSize(2);
    assertThat(segments(two)).hasSize(1);
    assertThat(segments(three)).hasSize(2);
    assertThat(NamedSegments.of(two.version().manifest())).hasSize(3);
    assertThat(two.version().manifest().getUncertainty().getSpread().getSegments())
        .isEqualTo(one.version().manifest().getUncertainty().getSpread().getSegments());
  }

  private static List<LedgerKey> segments(LedgerCodec.Encoded version) {
    return version.records().stream()
        .map(LedgerRecord::key)
        .filter(LedgerKey.SegmentKey.class::isInstance)
        .toList();
  }

  @Test
  void encode_withoutUncertainty_isOfTheFormatBefore_whichOlderProgramsRead()
      throws LedgerException, MalformedRecordException {
    byte[] before = value(next(zero, null).records().getLast());
    byte[] now = value(one.records().getLast());

    assertThat(LedgerCodec.manifest(before).getFormat()).isEqualTo(8);
    assertThat(Contracts.MANIFEST.knows("uncertainty", before)).isFalse();
    assertThat(LedgerCodec.manifest(now).getFormat()).isEqualTo(9);
    assertThat(Contracts.MANIFEST.knows("uncertainty", now)).isTrue();
  }

  @Test
  void tombstones_versionsThatLeave_takeTheSpreadsThatNoneIsLeftToName() {
    HeldVersions held = new HeldVersions();
    List.of(zero, one, two).forEach(version -> held.add(version.version().manifest()));
    LedgerKey ofSpreads = segments(one).getLast();

    assertThat(
            held.tombstones(
                three.version().manifest(), PublishedVersions.headOf(three.version()), 1))
        .extracting(LedgerRecord::key)
        .contains(ofSpreads);
    LedgerCodec.Encoded again = next(two, uncertainty(spreads, 5));
    assertThat(
            held.tombstones(
                again.version().manifest(), PublishedVersions.headOf(again.version()), 1))
        .extracting(LedgerRecord::key)
        .doesNotContain(ofSpreads);
  }

  @Test
  void apply_missingSpreads_keepTheOldVersionUntilTheyCome() {
    published.publish(zero);
    LedgerKey ofSpreads = segments(one).getLast();
    one.records().stream().filter(it -> !it.key().equals(ofSpreads)).forEach(published::apply);

    assertThat(published.rejection(LedgerCodecTest.head(one.version())))
        .startsWith("MISSING_SEGMENT: version 1 of bikes lacks its segment ");
    one.records().stream().filter(it -> it.key().equals(ofSpreads)).forEach(published::apply);
    assertThat(ledger.serving("bikes").orElseThrow()).isEqualTo(one.version());
  }

  @Test
  void manifest_cutOrWithATurnedBit_isRefusedOrAnotherVersion() throws LedgerException {
    byte[] whole = value(one.records().getLast());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> LedgerCodec.manifest(cut)).isInstanceOf(LedgerException.class);
    }
    for (int bit = 0; bit < 8 * whole.length; bit += 7) {
      byte[] turned = whole.clone();
      turned[bit / 8] ^= (byte) (1 << bit % 8);
      var other = new PublishedVersions();
      other.publish(zero);
      one.records().subList(0, one.records().size() - 1).forEach(other::apply);
      other.apply(new LedgerRecord(one.records().getLast().key(), turned));
      assertThat(other.apply(LedgerCodecTest.head(one.version())))
          .as("bit %s", bit)
          .isInstanceOf(Event.Rejected.class);
      assertThat(other.ledger().serving("bikes").orElseThrow().number()).isZero();
    }
  }

  /** What no writer writes, under a hash of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"labels", "power", "levels", "high", "unseen", "spread"})
  void manifest_thatContradictsItself_isRefused(String wrong) {
    ModelManifest manifest = one.version().manifest();
    var uncertainty =
        io.holdfast.schemas.avro.ManifestUncertainty.newBuilder(manifest.getUncertainty());
    switch (wrong) {
      case "labels" -> uncertainty.setLabels(0);
      case "power" -> uncertainty.setPowers(List.of(0.5, Double.NaN));
      case "levels" -> uncertainty.setLevels(List.of(0.95, 0.8));
      case "high" ->
          uncertainty.setUnseen(
              List.of(
                  new io.holdfast.schemas.avro.ErrorRange(0.0, Double.NaN),
                  new io.holdfast.schemas.avro.ErrorRange(0.0, 1.0)));
      case "unseen" -> uncertainty.setUnseen(List.of());
      default -> uncertainty.setSpread(null);
    }
    ModelManifest other =
        ModelManifest.newBuilder(manifest).setUncertainty(uncertainty.build()).build();
    published.publish(zero);
    one.records().forEach(published::apply);
    published.apply(
        new LedgerRecord(new LedgerKey.VersionKey("bikes", 1), Contracts.MANIFEST.encode(other)));

    assertThat(
            published.apply(LedgerCodecTest.head(PublishedVersions.forged(one.version(), other))))
        .isInstanceOf(Event.Rejected.class);
    assertThat(ledger.serving("bikes").orElseThrow().number()).isZero();
  }

  @Test
  void audit_missingSpreads_isSaid() {
    List<LedgerRecord> log = new ArrayList<>();
    for (LedgerCodec.Encoded version : List.of(zero, one)) {
      log.addAll(version.records());
      log.addAll(LedgerCodec.records(PublishedVersions.headOf(version.version())));
    }
    assertThat(PublishedVersions.violations(log)).noneMatch(it -> it.contains("segment"));
    log.removeIf(record -> record.key().equals(segments(one).getLast()));
    assertThat(PublishedVersions.violations(log))
        .anyMatch(detail -> detail.contains("lacks its segment"));
  }

  @Test
  void modelFile_roundTrip_keepsIt(@TempDir Path folder) throws IOException, ModelFileException {
    List<LedgerRecord> records = new ArrayList<>();
    for (LedgerCodec.Encoded version : List.of(zero, one, two)) {
      records.addAll(version.records());
    }
    records.add(LedgerCodecTest.head(two.version()));
    Path file = folder.resolve("m.model");

    ModelFile.write(OutputFile.of(file), records);

    assertThat(ModelFile.read(file)).isEqualTo(two.version());
    assertThat(ModelFile.read(file).uncertainty()).isEqualTo(uncertainty(spreads, 4));
  }

  private static byte[] value(LedgerRecord record) {
    return record.value() == null ? new byte[0] : record.value();
  }
}
