package io.holdfast.schemas.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Segment;
import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ManifestFeature;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.avro.ModelManifest;
import io.holdfast.schemas.avro.Sha256Digest;
import io.holdfast.schemas.ledger.Ledger.Event;
import io.holdfast.schemas.settings.ModelSettings.Gate;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerCodecTest;
import io.holdfast.schemas.version.LedgerException;
import io.holdfast.schemas.version.LedgerKey;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.version.RandomModels;
import io.holdfast.schemas.wire.Contracts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
  private final RandomModels random = new RandomModels(9);
  private final LedgerCodec.Encoded zero =
      LedgerCodec.encode(RandomModels.draft(null, RandomModels.untrained()));
  private final LedgerCodec.Encoded one = next(zero);
  private final LedgerCodec.Encoded two = next(one);

  private final Ledger ledger = new Ledger();

  @Test
  void apply_topicInOrder_servesEachVersion() {
    for (LedgerCodec.Encoded version : List.of(zero, one, two)) {
      version.records().forEach(record -> assertThat(apply(record)).isEqualTo(new Event.Stored()));
      assertThat(apply(LedgerCodecTest.head(version.version())))
          .isInstanceOfSatisfying(
              Event.Serves.class,
              serves -> assertThat(serves.version()).isEqualTo(version.version()));
    }

    assertThat(ledger.serving("bikes")).contains(two.version());
    assertThat(ledger.head("bikes").orElseThrow().getVersion()).isEqualTo(2);
    assertThat(ledger.versions("bikes"))
        .extracting(ModelManifest::getVersion)
        .containsExactly(0L, 1L, 2L);
    assertThat(ledger.hash("bikes", 1)).contains(one.version().hash());
    assertThat(ledger.models()).containsExactly("bikes");
  }

  @Test
  void apply_versionsOfOneSegment_shareItsTrees() {
    List.of(zero, one, two).forEach(version -> version.records().forEach(this::apply));
    apply(LedgerCodecTest.head(one.version()));
    Segment first = ledger.serving("bikes").orElseThrow().model().segments().getFirst();

    apply(LedgerCodecTest.head(two.version()));
    LedgerVersion served = ledger.serving("bikes").orElseThrow();

    assertThat(served.model().segments().getFirst().trees()).isSameAs(first.trees());
    LedgerCodec.Encoded three =
        LedgerCodec.encode(RandomModels.draft(served, served.model().plus(random.segment(2, 4))));
    assertThat(three.records()).hasSize(2);
  }

  @Test
  void apply_rollback_servesOlderVersion() {
    List.of(zero, one, two).forEach(version -> version.records().forEach(this::apply));
    apply(LedgerCodecTest.head(two.version()));

    apply(
        LedgerCodec.encode(
            LedgerCodec.head(one.version(), HeadReason.ROLLED_BACK, "me", "", Instant.EPOCH)));

    assertThat(ledger.serving("bikes")).contains(one.version());
    LedgerCodec.Encoded four =
        LedgerCodec.encode(
            new LedgerCodec.Draft(
                "bikes",
                4,
                one.version(),
                one.version().model(),
                7,
                List.of(),
                List.of(),
                List.of(),
                1,
                "{}",
                java.util.Map.of(),
                "0.1.0"));
    four.records().forEach(this::apply);
    assertThat(apply(LedgerCodecTest.head(four.version()))).isInstanceOf(Event.Serves.class);
  }

  /** As when a tombstone was written for it, and the topic compacted since. */
  @Test
  void recallHeads_headThatIsGone_isTheNewestOfTheHistory() {
    List.of(zero, one).forEach(version -> version.records().forEach(this::apply));
    ModelHead first = numbered(1, zero);
    ModelHead second = numbered(2, one);
    for (ModelHead head : List.of(first, second)) {
      LedgerCodec.records(head).stream()
          .filter(record -> record.key() instanceof LedgerKey.HistoryKey)
          .forEach(this::apply);
    }
    assertThat(ledger.serving("bikes")).isEmpty();

    ledger.recallHeads();

    assertThat(ledger.head("bikes")).contains(second);
    assertThat(ledger.serving("bikes")).contains(one.version());
  }

  private static ModelHead numbered(long sequence, LedgerCodec.Encoded version) {
    return ModelHead.newBuilder(
            LedgerCodec.head(version.version(), HeadReason.TRAINED, "me", "", Instant.EPOCH))
        .setSequence(sequence)
        .build();
  }

  @Test
  void apply_headFirst_servesOnceItsLastPieceIsThere() {
    zero.records().forEach(this::apply);
    apply(LedgerCodecTest.head(zero.version()));

    assertThat(apply(LedgerCodecTest.head(one.version())))
        .isEqualTo(
            new Event.Rejected(
                "bikes", 1, "MISSING_MANIFEST", "version 1 of bikes is not on the topic"));
    assertThat(ledger.serving("bikes")).contains(zero.version());
    List<Event> events = new ArrayList<>();
    for (LedgerRecord record : one.records().reversed()) {
      events.add(apply(record));
    }

    assertThat(events.removeLast()).isInstanceOf(Event.Serves.class);
    assertThat(events).containsOnly(new Event.Stored());
    assertThat(ledger.serving("bikes")).contains(one.version());
  }

  @Test
  void apply_missingPieces_keepTheOldVersion() {
    zero.records().forEach(this::apply);
    apply(LedgerCodecTest.head(zero.version()));
    apply(one.records().getLast());

    assertThat(rejection(LedgerCodecTest.head(one.version()))).isEqualTo("MISSING_SEGMENT");

    two.records().forEach(this::apply);
    one.records().forEach(this::apply);
  }

  @Test
  void apply_parentTidiedAway_isNoBrokenChain() {
    LedgerCodec.Encoded three = next(two);
    LedgerCodec.Encoded four = next(three);
    for (LedgerCodec.Encoded version : List.of(zero, one, two, three, four)) {
      version.records().forEach(this::apply);
    }
    // 0 is kept, for a head names it, and 1 and 2 went: what grew from 2 is as good as it was.
    ledger.apply("bikes/version/1", null);
    ledger.apply("bikes/version/2", null);

    assertThat(apply(LedgerCodecTest.head(three.version()))).isInstanceOf(Event.Serves.class);
    assertThat(apply(LedgerCodecTest.head(four.version()))).isInstanceOf(Event.Serves.class);

    // Between 0 and 4 there is nothing to have been tidied away: 4 says that it grew from 3.
    LedgerVersion forged = forged(four.version(), 4, zero.version().number());
    ledger.apply("bikes/version/4", Contracts.MANIFEST.encode(forged.manifest()));
    assertThat(rejection(LedgerCodecTest.head(forged))).isEqualTo("BROKEN_CHAIN");
  }

  /** The version, with another parent's number. */
  private static LedgerVersion forged(LedgerVersion version, long number, long parent) {
    ModelManifest manifest =
        ModelManifest.newBuilder(version.manifest())
            .setVersion(number)
            .setParentVersion(parent)
            .setParentHash(new Sha256Digest(Digest.of(new byte[] {7}).bytes()))
            .build();
    return new LedgerVersion(
        manifest,
        Digest.of(Contracts.MANIFEST.encodeBody(manifest)),
        version.segments(),
        version.model());
  }

  @Test
  void apply_headsOfAllKinds_areFollowed() throws LedgerException {
    List.of(zero, one, two).forEach(version -> version.records().forEach(this::apply));
    ModelHead first =
        LedgerCodec.head(zero.version(), HeadReason.INITIAL, "trainer", "", Instant.EPOCH);
    LedgerCodec.records(first).forEach(this::apply);
    ModelHead second = change(first, new HeadChange.Trained(2, two.version().hash(), false));
    ModelHead third = change(second, new HeadChange.Shadowed(1));

    assertThat(ledger.history("bikes")).containsExactly(first, second, third);
    assertThat(ledger.head("bikes")).contains(third);
    assertThat(ledger.serving("bikes")).contains(zero.version());
    assertThat(ledger.tip("bikes")).contains(two.version());
    assertThat(ledger.shadow("bikes")).contains(one.version());
    assertThat(ledger.versionsOf("bikes").grewFrom(2, 0)).isTrue();
    assertThat(ledger.versionsOf("bikes").grewFrom(1, 2)).isFalse();
    assertThatThrownBy(() -> ledger.versionsOf("bikes").verified(9))
        .hasMessage("version 9 of bikes is not on the topic; the topic has versions 0 to 2");

    ModelHead fourth = change(third, new HeadChange.Unshadowed());
    ledger.apply("bikes/heads/1", null);
    assertThat(ledger.shadow("bikes")).isEmpty();
    assertThat(ledger.history("bikes")).containsExactly(second, third, fourth);
  }

  @Test
  void apply_shadowThatIsNotThere_isLeftOutAndKeepsNothingFromServing() {
    List.of(zero, one).forEach(version -> version.records().forEach(this::apply));
    ModelHead first =
        LedgerCodec.head(zero.version(), HeadReason.INITIAL, "trainer", "", Instant.EPOCH);
    apply(LedgerCodec.encode(first));
    ModelHead bad =
        ModelHead.newBuilder(first)
            .setVersion(1)
            .setHash(new Sha256Digest(one.version().hash().bytes()))
            .setShadowVersion(2L)
            .setShadowHash(new Sha256Digest(two.version().hash().bytes()))
            .build();

    apply(LedgerCodec.encode(bad));
    assertThat(ledger.serving("bikes")).contains(one.version());
    assertThat(ledger.shadow("bikes")).isEmpty();
    assertThat(ledger.shadowFault("bikes").orElseThrow().reason())
        .isEqualTo(LedgerException.Reason.MISSING_MANIFEST);
    two.records().forEach(this::apply);
    apply(LedgerCodec.encode(bad)); // the next head names it again
    assertThat(ledger.shadow("bikes")).contains(two.version());
    assertThat(ledger.shadowFault("bikes")).isEmpty();
  }

  @Test
  void apply_pastHeadUnderAnotherNumber_isRejected() {
    ModelHead head =
        LedgerCodec.head(zero.version(), HeadReason.INITIAL, "trainer", "", Instant.EPOCH);

    assertThat(ledger.apply("bikes/heads/2", Contracts.HEAD.encode(head)))
        .isEqualTo(
            new Event.Rejected(
                "bikes", -1, "BAD_RECORD", "the head under number 2 of bikes has the number 1"));
  }

  @Test
  void records_ofALateHead_takeTheOldestFromTheHistory() {
    ModelHead head =
        ModelHead.newBuilder(
                LedgerCodec.head(zero.version(), HeadReason.INITIAL, "me", "", Instant.EPOCH))
            .setSequence(1_007)
            .build();

    assertThat(LedgerCodec.records(head))
        .extracting(record -> record.key() + (record.value() == null ? " tombstone" : ""))
        .containsExactly("bikes/heads/7 tombstone", "bikes/heads/1007", "bikes/head");
  }

  private ModelHead change(ModelHead present, HeadChange change) throws LedgerException {
    ModelHead next =
        HeadRules.next(
            present,
            change,
            ledger.versionsOf("bikes"),
            Gate.ALWAYS,
            new HeadRules.Author("ada", "", Instant.EPOCH));
    LedgerCodec.records(next).forEach(this::apply);
    return next;
  }

  @Test
  void apply_oldestVersionHeld_needsNoParent() {
    one.records().forEach(this::apply);

    assertThat(apply(LedgerCodecTest.head(one.version()))).isInstanceOf(Event.Serves.class);
  }

  @Test
  void apply_otherFeaturesThanParent_areRejected() {
    one.records().forEach(this::apply);
    ModelManifest good = two.version().manifest();
    List<ManifestFeature> features = new ArrayList<>(good.getFeatures());
    features.set(1, new ManifestFeature("city", true, List.of("Köln", "Bonn", "")));
    ModelManifest bad = ModelManifest.newBuilder(good).setFeatures(features).build();
    Digest hash = Digest.of(Contracts.MANIFEST.encodeBody(bad));
    LedgerVersion forged =
        new LedgerVersion(bad, hash, two.version().segments(), two.version().model());
    apply(two.records().getFirst());
    ledger.apply("bikes/version/2", Contracts.MANIFEST.encode(bad));

    assertThat(rejection(LedgerCodecTest.head(forged))).isEqualTo("INCOMPATIBLE_FEATURES");
    assertThat(ledger.serving("bikes")).isEmpty();
  }

  @Test
  void apply_grownCategories_areAccepted() {
    one.records().forEach(this::apply);
    List<Feature> grown = new ArrayList<>(RandomModels.FEATURES);
    grown.set(1, new Feature.Categorical("city", List.of("Bonn", "Köln", "", "Paris")));
    Model model = one.version().model();
    LedgerCodec.Encoded version =
        LedgerCodec.encode(
            RandomModels.draft(
                one.version(),
                new Model(model.objective(), grown, model.base(), model.segments())));
    version.records().forEach(this::apply);

    assertThat(apply(LedgerCodecTest.head(version.version()))).isInstanceOf(Event.Serves.class);
    assertThat(ledger.serving("bikes").orElseThrow().model().features()).isEqualTo(grown);
  }

  @Test
  void apply_foreignRecords_areRejectedOrPassedOver() {
    byte[] manifest = value(zero.records().getFirst());

    assertThat(rejection("nonsense", manifest)).isEqualTo("BAD_KEY");
    assertThat(rejection(null, manifest)).isEqualTo("BAD_KEY");
    assertThat(rejection("cars/version/0", manifest)).isEqualTo("BAD_RECORD");
    assertThat(rejection("bikes/version/7", manifest)).isEqualTo("BAD_RECORD");
    assertThat(rejection("bikes/head", manifest)).isEqualTo("BAD_RECORD");
    assertThat(rejection("bikes/head", new byte[0])).isEqualTo("BAD_RECORD");
    assertThat(rejection("bikes/segment/" + "0".repeat(64), new byte[600_000]))
        .isEqualTo("LIMIT_EXCEEDED");
    assertThat(new Ledger(Set.of("cars")).apply("bikes/head", new byte[3]))
        .isEqualTo(new Event.Stored());
  }

  @Test
  void apply_moreVersionsThanRetained_dropsTheOldestWithTheirSegments() {
    Ledger small = new Ledger(model -> true, 3);
    LedgerCodec.Encoded version = zero;
    for (int i = 0; i < 20; i++) {
      version.records().forEach(record -> small.apply(record.key().toString(), record.value()));
      LedgerRecord head = LedgerCodecTest.head(version.version());
      assertThat(small.apply(head.key().toString(), head.value())).isInstanceOf(Event.Serves.class);
      // A sliding ensemble: each version has the newest two segments.
      List<Segment> segments = version.version().model().segments();
      version =
          LedgerCodec.encode(
              RandomModels.draft(
                  version.version(),
                  new Model(
                          RandomModels.untrained().objective(),
                          RandomModels.FEATURES,
                          0,
                          segments.subList(Math.max(0, segments.size() - 1), segments.size()))
                      .plus(random.segment(1, 3))));
    }

    assertThat(small.versions("bikes"))
        .extracting(ModelManifest::getVersion)
        .containsExactly(17L, 18L, 19L);
    assertThat(small.segmentsHeld("bikes")).isEqualTo(4);
    assertThatThrownBy(() -> small.version("bikes", 3))
        .isInstanceOf(LedgerException.class)
        .hasMessage("version 3 of bikes is not on the topic");
  }

  @Test
  void version_notServing_canBeHad() throws LedgerException {
    List.of(zero, one, two).forEach(version -> version.records().forEach(this::apply));

    assertThat(ledger.version("bikes", 1)).isEqualTo(one.version());
    assertThatThrownBy(() -> ledger.version("cars", 1))
        .hasMessage("the topic has no model cars: it has [bikes]");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void apply_anyFlippedBit_neverServesAnotherModel(long seed) {
    SplittableRandom dice = new SplittableRandom(seed);
    List<LedgerRecord> update = new ArrayList<>(one.records());
    update.add(LedgerCodecTest.head(one.version()));
    for (int i = 0; i < 3_000; i++) {
      Ledger damaged = new Ledger();
      LedgerRecord base = LedgerCodecTest.head(zero.version());
      zero.records().forEach(record -> damaged.apply(record.key().toString(), record.value()));
      damaged.apply(base.key().toString(), base.value());
      int victim = dice.nextInt(update.size());
      for (int k = 0; k < update.size(); k++) {
        byte[] value = value(update.get(k)).clone();
        if (k == victim) {
          value[dice.nextInt(value.length)] ^= (byte) (1 << dice.nextInt(8));
        }
        damaged.apply(update.get(k).key().toString(), value);
      }

      LedgerVersion serving = damaged.serving("bikes").orElseThrow();

      assertThat(serving).isIn(zero.version(), one.version());
      // A head's remarks may be damaged unseen: they change nothing that is served.
      if (victim < update.size() - 1) {
        assertThat(serving).isEqualTo(zero.version());
      }
    }
  }

  /** The digest that names a record is not of its frame. */
  @Test
  void apply_recordWithADamagedFrame_isRefusedUntilTheGoodOneComes() {
    zero.records().forEach(this::apply);
    apply(LedgerCodecTest.head(zero.version()));
    for (LedgerRecord record : one.records()) {
      byte[] damaged = value(record).clone();
      damaged[5] ^= 1;
      ledger.apply(record.key().toString(), damaged);
    }
    apply(one.records().getLast());
    assertThat(apply(LedgerCodecTest.head(one.version()))).isInstanceOf(Event.Rejected.class);
    assertThat(ledger.serving("bikes")).contains(zero.version());

    one.records().forEach(this::apply);
    apply(LedgerCodecTest.head(one.version()));

    assertThat(ledger.serving("bikes")).contains(one.version());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void apply_noise_isOnlyEverRejected(long seed) {
    SplittableRandom dice = new SplittableRandom(seed);
    List<LedgerRecord> records = new ArrayList<>(one.records());
    records.add(LedgerCodecTest.head(one.version()));
    for (int i = 0; i < 3_000; i++) {
      LedgerRecord record = records.get(dice.nextInt(records.size()));
      byte[] value = value(record).clone();
      for (int k = dice.nextInt(1, 20); k > 0; k--) {
        value[10 + dice.nextInt(value.length - 10)] = (byte) dice.nextInt();
      }
      // Under its own digest, so that damage is found by decoding and not by hashing.
      String key =
          record.key() instanceof LedgerKey.SegmentKey
              ? "bikes/segment/" + digest(value)
              : record.key().toString();
      assertThat(new Ledger().apply(key, value)).isNotInstanceOf(Event.Serves.class);
      try {
        LedgerCodec.trees(value);
      } catch (LedgerException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }

  private static String digest(byte[] value) {
    try {
      return LedgerCodec.digest(value).hex();
    } catch (LedgerException e) {
      throw new AssertionError(e);
    }
  }

  private LedgerCodec.Encoded next(LedgerCodec.Encoded parent) {
    LedgerVersion version = parent.version();
    return LedgerCodec.encode(
        RandomModels.draft(version, version.model().plus(random.segment(3, 5))));
  }

  private Event apply(LedgerRecord record) {
    return ledger.apply(record.key().toString(), record.value());
  }

  private String rejection(LedgerRecord record) {
    return rejection(record.key().toString(), value(record));
  }

  private String rejection(@Nullable String key, byte[] value) {
    Event event = ledger.apply(key, value);
    assertThat(event).isInstanceOf(Event.Rejected.class);
    return ((Event.Rejected) event).reason();
  }

  private static byte[] value(LedgerRecord record) {
    byte[] value = record.value();
    if (value == null) {
      throw new AssertionError("a tombstone: " + record.key());
    }
    return value;
  }
}
