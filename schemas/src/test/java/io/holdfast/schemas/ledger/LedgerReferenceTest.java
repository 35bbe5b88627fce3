package io.holdfast.schemas.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.schemas.avro.LogPlace;
import io.holdfast.schemas.avro.ManifestReference;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.file.OutputFile;
import io.holdfast.schemas.ledger.Ledger.Event;
import io.holdfast.schemas.reference.DistributionSketch;
import io.holdfast.schemas.reference.EnvironmentReference;
import io.holdfast.schemas.reference.KeptReference;
import io.holdfast.schemas.reference.TrainingReference;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.Kept;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import io.holdfast.schemas.version.ReferenceCodec;
import io.holdfast.schemas.wire.Contracts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training references on the model topic: records of their own, which versions name. */
class LedgerReferenceTest {
  private static final KeptReference FIRST = kept(0.5);
  private static final KeptReference SECOND = kept(0.75);

  private final RandomModels random = new RandomModels(5);
  private final LedgerCodec.Encoded zero =
      LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
  private final LedgerCodec.Encoded one = next(zero, FIRST);
  private final KeptReference later =
      new KeptReference(FIRST.sketches(), 70, new TreeMap<>(Map.of(0, 100L, 3, 7L)), 30, 10);
  private final LedgerCodec.Encoded two = next(one, later);
  private final LedgerCodec.Encoded three = next(two, SECOND);
  private final PublishedVersions published = new PublishedVersions();
  private final Ledger ledger = published.ledger();

  @Test
  void encode_newReference_isWrittenBeforeTheManifest_andAKeptOneIsNamed() {
    assertThat(one.records())
        .extracting(record -> record.key().getClass().getSimpleName())
        .containsExactly("SegmentKey", "ReferenceKey", "VersionKey");
    assertThat(two.records())
        .extracting(record -> record.key().getClass().getSimpleName())
        .containsExactly("SegmentKey", "VersionKey");
    assertThat(two.version().manifest().getReference())
        .isEqualTo(
            new ManifestReference(
                one.version().manifest().getReference().getSha256(),
                70L,
                List.of(new LogPlace(0, 100L), new LogPlace(3, 7L)),
                30L,
                10L));
    assertThat(three.records()).hasSize(3);
    assertThat(zero.version().manifest().getReference()).isNull();
    // Equal sketches that are another instance are the same bytes.
    assertThat(next(one, kept(0.5)).records()).hasSize(2);
    assertThat(next(one, null).version().manifest().getReference()).isNull();
  }

  @Test
  void apply_versions_haveTheirReference() throws LedgerException {
    published.publish(zero, one, two, three);

    assertThat(ledger.serving("bikes")).contains(three.version());
    assertThat(ledger.version("bikes", 0).kept()).isEqualTo(Kept.NONE);
    assertThat(reference(1)).isEqualTo(FIRST);
    assertThat(reference(2)).isEqualTo(later);
    assertThat(reference(2).sketches()).isSameAs(reference(1).sketches());
    assertThat(reference(3)).isEqualTo(SECOND);
    assertThat(ledger.referencesHeld("bikes")).isEqualTo(2);
    assertThat(LedgerCodec.encode(draft(ledger.version("bikes", 3), reference(3))).records())
        .hasSize(2);
  }

  private KeptReference reference(long version) throws LedgerException {
    return requireNonNull(ledger.version("bikes", version).kept().reference());
  }

  @Test
  void apply_missingReference_keepsTheOldVersionUntilItComes() {
    published.publish(zero);
    LedgerRecord record = one.records().get(1);
    one.records().stream()
        .filter(other -> !other.key().equals(record.key()))
        .forEach(published::apply);

    assertThat(published.rejection(LedgerCodecTest.head(one.version())))
        .isEqualTo(
            "MISSING_REFERENCE: version 1 of bikes lacks its reference "
                + Digest.fromBytes(one.version().manifest().getReference().getSha256().bytes()));
    assertThat(ledger.serving("bikes").orElseThrow().number()).isZero();

    assertThat(published.apply(record)).isInstanceOf(Event.Serves.class);
    assertThat(ledger.serving("bikes").orElseThrow()).isEqualTo(one.version());
  }

  @Test
  void apply_corruptReference_isRefused() {
    LedgerRecord record = one.records().get(1);
    byte[] value = record.value() == null ? new byte[0] : record.value();
    byte[] turned = value.clone();
    turned[turned.length - 2] ^= 1;

    assertThat(published.rejection(new LedgerRecord(record.key(), turned)))
        .startsWith("HASH_MISMATCH: the bytes under reference ");
    assertThat(published.rejection(new LedgerRecord(record.key(), new byte[900_011])))
        .startsWith("LIMIT_EXCEEDED: the bytes of a training reference must be at most 900000: ");

    // Bytes that are no reference, under their own hash.
    byte[] none = Arrays.copyOf(value, value.length - 3);
    published.publish(zero);
    named(none).forEach(published::apply);
    assertThat(published.rejection(LedgerCodecTest.head(forged(none)))).startsWith("BAD_RECORD: ");
    assertThat(ledger.serving("bikes").orElseThrow().number()).isZero();
  }

  @Test
  void apply_referenceOfOtherFeatures_isRefused() {
    EnvironmentReference part = FIRST.sketches().parts().getFirst();
    var fewer =
        new TrainingReference(
            10,
            new TreeMap<>(),
            List.of(new EnvironmentReference("spring", 5, part.quantities().subList(0, 3))),
            List.of());
    assertThatThrownBy(() -> next(zero, new KeptReference(fewer)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "version 1 has 3 features and a label, and its reference has sketches of 3 quantities");
  }

  @Test
  void ofScorer_damagedReference_doesNotKeepAVersionFromServing() {
    Ledger scorer = Ledger.ofScorer(Set.of("bikes"));
    for (LedgerCodec.Encoded version : List.of(zero, one)) {
      for (LedgerRecord record : version.records()) {
        byte[] value =
            record.key() instanceof LedgerKey.ReferenceKey ? new byte[3] : record.value();
        assertThat(scorer.apply(record.key().toString(), value)).isInstanceOf(Event.Stored.class);
      }
    }
    LedgerRecord head = LedgerCodecTest.head(one.version());

    assertThat(scorer.apply(head.key().toString(), head.value())).isInstanceOf(Event.Serves.class);
    assertThat(scorer.serving("bikes").orElseThrow().hash()).isEqualTo(one.version().hash());
    assertThat(scorer.serving("bikes").orElseThrow().kept()).isEqualTo(Kept.NONE);
    assertThat(scorer.referencesHeld("bikes")).isZero();
  }

  @Test
  void encode_moreThanARecordHolds_isNotKept() {
    double[] values = new double[40_000];
    Arrays.setAll(values, k -> k);
    long[] weights = new long[values.length];
    Arrays.fill(weights, 1);
    var large = new DistributionSketch(true, values, weights);
    var part = new EnvironmentReference("a", 40_000, List.of(large, large, large, large));
    var sketches = new TrainingReference(1, new TreeMap<>(), List.of(part), List.of());

    LedgerCodec.Encoded tooLarge = next(zero, new KeptReference(sketches));

    assertThat(tooLarge.records()).hasSize(2);
    assertThat(tooLarge.version().kept()).isEqualTo(Kept.NONE);
    assertThat(tooLarge.version().manifest().getReference()).isNull();
  }

  @Test
  void tombstones_versionsThatLeave_takeTheReferenceThatNoneIsLeftToName() {
    HeldVersions held = new HeldVersions();
    List.of(zero, one, two).forEach(version -> held.add(version.version().manifest()));
    ModelHead head = PublishedVersions.headOf(three.version());

    assertThat(references(held.tombstones(three.version().manifest(), head, 3))).isEmpty();
    assertThat(references(held.tombstones(three.version().manifest(), head, 2))).isEmpty();
    assertThat(references(held.tombstones(three.version().manifest(), head, 1)))
        .containsExactly(one.records().get(1).key());

    // The newest names it again.
    LedgerCodec.Encoded again = next(two, FIRST);
    assertThat(
            references(
                held.tombstones(
                    again.version().manifest(), PublishedVersions.headOf(again.version()), 1)))
        .isEmpty();
  }

  @Test
  void removeVersions_takesTheirReferenceAlong() {
    published.publish(zero, one, two, three);

    ledger.apply("bikes/version/1", null);
    assertThat(ledger.referencesHeld("bikes")).isEqualTo(2);
    ledger.apply("bikes/version/2", null);
    assertThat(ledger.referencesHeld("bikes")).isEqualTo(1);
  }

  @Test
  void audit_missingOrDamagedReference_isSaid() {
    List<LedgerRecord> log = new ArrayList<>();
    for (LedgerCodec.Encoded version : List.of(zero, one)) {
      log.addAll(version.records());
      log.addAll(LedgerCodec.records(PublishedVersions.headOf(version.version())));
    }
    assertThat(PublishedVersions.violations(log)).noneMatch(detail -> detail.contains("reference"));

    LedgerRecord record = one.records().get(1);
    int place = log.indexOf(record);
    List<LedgerRecord> without = new ArrayList<>(log);
    without.remove(place);
    String digest = ((LedgerKey.ReferenceKey) record.key()).digest().hex();
    assertThat(PublishedVersions.violations(without))
        .contains(
            "version 1: version 1 of bikes lacks its reference " + digest,
            "head 1 names version 1, whose training reference " + digest + " was not there");

    log.set(place, new LedgerRecord(record.key(), new byte[20]));
    assertThat(PublishedVersions.violations(log))
        .anyMatch(
            detail -> detail.startsWith("bikes/reference/" + digest + ": its bytes have the hash"));
  }

  @Test
  void modelFile_roundTrip_keepsTheReference(@TempDir Path folder)
      throws IOException, ModelFileException {
    List<LedgerRecord> records = new ArrayList<>();
    for (LedgerCodec.Encoded version : List.of(zero, one, two)) {
      records.addAll(version.records());
    }
    records.add(LedgerCodecTest.head(two.version()));
    Path file = folder.resolve("m.model");

    ModelFile.write(OutputFile.of(file), records);

    assertThat(ModelFile.read(file)).isEqualTo(two.version());
    assertThat(ModelFile.read(file).kept().reference()).isEqualTo(later);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void codec_anyReference_comesBack_withinItsBytes(long seed) throws LedgerException {
    TrainingReference sketches = sketches(new SplittableRandom(seed));
    LedgerCodec.Encoded encoded = next(zero, new KeptReference(sketches));
    byte[] value = encoded.records().get(1).value();

    assertThat(ReferenceCodec.sketches(value == null ? new byte[0] : value)).isEqualTo(sketches);
    assertThat(value == null ? 0 : value.length - 10L).isLessThanOrEqualTo(sketches.bytes());
  }

  private static TrainingReference sketches(SplittableRandom random) {
    TreeMap<Integer, Long> through = new TreeMap<>();
    for (int k = random.nextInt(5); k > 0; k--) {
      through.put(random.nextInt(1_000), random.nextLong(Long.MAX_VALUE));
    }
    List<EnvironmentReference> parts = new ArrayList<>();
    int count = random.nextInt(1, 6);
    for (int part = 0; part < count; part++) {
      List<DistributionSketch> quantities = new ArrayList<>();
      for (int quantity = 0; quantity < 4; quantity++) {
        double[] values = random.doubles(random.nextInt(80), -1e300, 1e300).sorted().toArray();
        long[] weights = random.longs(values.length, 1, 1_000_000_000).toArray();
        quantities.add(new DistributionSketch(random.nextBoolean(), values, weights));
      }
      String name = part == count - 1 && random.nextBoolean() ? null : "köln " + part;
      parts.add(new EnvironmentReference(name, 1L << 40, quantities));
    }
    List<String> others = random.ints(random.nextInt(10)).mapToObj(k -> "o" + k).sorted().toList();
    return new TrainingReference(random.nextLong(1, 1L << 50), through, parts, others);
  }

  private static KeptReference kept(double value) {
    var numbers = new DistributionSketch(false, new double[] {-1, value, 9}, new long[] {1, 3, 1});
    var few = new DistributionSketch(true, new double[] {0, 2}, new long[] {4, 1});
    List<DistributionSketch> quantities = List.of(numbers, few, numbers, few);
    return new KeptReference(
        new TrainingReference(
            12,
            new TreeMap<>(Map.of(0, 12L)),
            List.of(
                new EnvironmentReference("spring", 6, quantities),
                new EnvironmentReference(null, 5, quantities)),
            List.of("summer")));
  }

  private LedgerCodec.Encoded next(LedgerCodec.Encoded parent, @Nullable KeptReference reference) {
    return LedgerCodec.encode(draft(parent.version(), reference));
  }

  private LedgerCodec.Draft draft(LedgerVersion parent, @Nullable KeptReference reference) {
    return RandomModels.draft(parent, parent.model().plus(random.segment(1, 3)))
        .withKept(new Kept(null, reference));
  }

  /** The records of version 1, if it named these bytes. */
  private List<LedgerRecord> named(byte[] reference) {
    LedgerVersion version = forged(reference);
    Digest digest = Digest.fromBytes(version.manifest().getReference().getSha256().bytes());
    return List.of(
        one.records().getFirst(),
        new LedgerRecord(new LedgerKey.ReferenceKey("bikes", digest), reference),
        new LedgerRecord(
            new LedgerKey.VersionKey("bikes", 1), Contracts.MANIFEST.encode(version.manifest())));
  }

  private LedgerVersion forged(byte[] reference) {
    Digest digest = Digest.of(Arrays.copyOfRange(reference, 10, reference.length));
    ModelManifest manifest =
        ModelManifest.newBuilder(one.version().manifest())
            .setReference(
                new ManifestReference(new Sha256Digest(digest.bytes()), 0L, List.of(), 0L, 0L))
            .build();
    return PublishedVersions.forged(one.version(), manifest);
  }

  private static List<LedgerKey> references(List<LedgerRecord> tombstones) {
    return tombstones.stream()
        .map(LedgerRecord::key)
        .filter(LedgerKey.ReferenceKey.class::isInstance)
        .toList();
  }
}
