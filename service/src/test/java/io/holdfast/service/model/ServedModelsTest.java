package io.holdfast.service.model;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.avro.ModelHead;
import io.holdfast.schemas.ledger.HeadChange;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerCodec;
import io.holdfast.schemas.version.LedgerRecord;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.service.Bikes;
import io.holdfast.service.BikesLedger;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class ServedModelsTest {
  private final ModelSettings settings = Bikes.settings();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private List<Schema> known = List.of(Bikes.RIDE);
  private final ServedModels models =
      new ServedModels(
          List.of(settings),
          topic -> known,
          _ -> List.of(),
          meters,
          InstantSource.fixed(Instant.ofEpochSecond(1_060)));

  private final BikesLedger ledger = new BikesLedger(models, settings);

  @Test
  void nothingPublished_isAwaited() {
    assertThat(models.active("bikes")).isNull();
    assertThat(served().serving()).isNull();
    assertThat(meters.get("holdfast.model.version").gauge().value()).isNaN();
  }

  @Test
  void verifiedVersion_serves() throws Exception {
    LedgerVersion version = ledger.publish(0, null, 0, 0);
    assertThat(models.active("bikes")).as("a version that no head names").isNull();

    ledger.head(version, HeadReason.INITIAL);

    assertThat(models.active("bikes")).isNotNull();
    assertThat(served().serving())
        .satisfies(
            serving -> {
              assertThat(serving).isNotNull();
              assertThat(serving.model().version().hash()).isEqualTo(version.hash());
            });
    assertThat(meters.get("holdfast.model.version").gauge().value()).isZero();
    assertThat(meters.get("holdfast.model.swaps").counter().count()).isEqualTo(1);
    assertThat(meters.get("holdfast.model.age").gauge().value()).isEqualTo(60);
  }

  @Test
  void rollback_servesTheOlderVersionAgain() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ledger.head(second, HeadReason.TRAINED);
    ledger.head(first, HeadReason.ROLLED_BACK);

    assertThat(activeNumber()).isZero();
    assertThat(served().swaps()).isEqualTo(3);
  }

  @Test
  void corruptVersion_isRejectedAndTheOldOneServesOn() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    LedgerCodec.Encoded second = ledger.encode(1, first, 0, 1);
    LedgerRecord manifest = second.records().getLast();
    byte[] corrupt = bytes(manifest).clone();
    corrupt[corrupt.length / 2] ^= 1;
    second
        .records()
        .subList(0, second.records().size() - 1)
        .forEach(record -> ledger.apply(record, 1));
    models.apply(manifest.key().toString(), corrupt, 1);
    ledger.head(second.version(), HeadReason.TRAINED);

    assertThat(activeNumber()).isZero();
    assertThat(served().rejections()).isNotEmpty();
    assertThat(meters.get("holdfast.model.rejects").counters())
        .anySatisfy(counter -> assertThat(counter.count()).isPositive());
  }

  @Test
  void versionThatTookAnothersPlace_isTimedOnceFromItsCommitToItsFirstScore() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    Timer timer = meters.get("holdfast.version.first.score").timer();
    served().scores().scoresFirst(requireNonNull(models.active("bikes")));
    assertThat(timer.count()).as("it took nobody's place").isZero();

    ActiveModel before = requireNonNull(models.active("bikes"));
    ledger.head(ledger.publish(1, first, 0, 1), HeadReason.TRAINED);
    served().scores().scoresFirst(before);
    assertThat(timer.count()).as("a record that was scored ahead").isZero();
    served().scores().scoresFirst(requireNonNull(models.active("bikes")));
    served().scores().scoresFirst(requireNonNull(models.active("bikes")));
    assertThat(timer.count()).isEqualTo(1);
    assertThat(timer.totalTime(TimeUnit.SECONDS)).isPositive();
  }

  @Test
  void versionThatCannotReadTheRecords_isRejectedAndTheOldOneServesOn() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    known =
        List.of(
            SchemaFile.parse(
                """
                {"type": "record", "name": "Ride", "fields": [
                  {"name": "temperature", "type": "string"}]}
                """));
    ledger.head(ledger.publish(1, first, 0, 1), HeadReason.TRAINED);

    assertThat(activeNumber()).isZero();
    assertThat(served().rejections())
        .singleElement()
        .satisfies(
            rejection -> {
              assertThat(rejection.version()).isEqualTo(1);
              assertThat(rejection.reason()).isEqualTo("INCOMPATIBLE_SCHEMA");
              assertThat(rejection.detail()).contains("version 1").contains("temperature");
            });
  }

  @Test
  void shadow_scoresBesideWhatServesAndEndsWithTheHeadThatSaysSo() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ModelHead head = ledger.head(second, HeadReason.TRAINED);
    assertThat(models.shadow("bikes")).isNull();

    ModelHead shadowed = ledger.change(head, new HeadChange.Shadowed(0), first, second);

    assertThat(activeNumber()).isEqualTo(1);
    assertThat(shadowNumber()).isZero();
    assertThat(served().swaps()).as("the same version serves on").isEqualTo(1);
    assertThat(served().serving())
        .satisfies(
            serving -> {
              assertThat(serving).isNotNull();
              assertThat(serving.since()).as("as before").isEqualTo(head.getAt());
            });
    assertThat(meters.get("holdfast.model.shadow").gauge().value()).isZero();
    ledger.change(shadowed, new HeadChange.Unshadowed(), first, second);
    assertThat(models.shadow("bikes")).isNull();
    assertThat(meters.get("holdfast.model.shadow").gauge().value()).isNaN();
    assertThat(models.heads("bikes"))
        .extracting(ModelHead::getSequence, ModelHead::getReason)
        .containsExactly(
            tuple(3L, HeadReason.SHADOWED),
            tuple(2L, HeadReason.SHADOWED),
            tuple(1L, HeadReason.TRAINED));
  }

  @Test
  void versionsThatFollow_scoreAlikeBeforeAndAfterTheyAreLaidOutAsAWhole() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    models.tidy();
    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ledger.head(second, HeadReason.TRAINED);
    ActiveModel active = Objects.requireNonNull(models.active("bikes"));
    double[] row = new double[active.width()];
    double[] before = new double[1];
    double[] after = new double[1];
    active.scorer().score(row, before);

    models.tidy();

    assertThat(models.active("bikes")).isSameAs(active);
    assertThat(active.scorer().settled()).isSameAs(active.scorer());
    active.scorer().score(row, after);
    assertThat(after).isEqualTo(before);
  }

  @Test
  void promotedShadow_servesAsTheVersionItWas() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ModelHead head = ledger.head(first, HeadReason.INITIAL);
    ModelHead shadowed = ledger.change(head, new HeadChange.Shadowed(1), first, second);
    ActiveModel shadow = models.shadow("bikes");

    ledger.change(shadowed, new HeadChange.Promoted(1), first, second);

    assertThat(models.active("bikes")).as("laid out once").isSameAs(shadow);
    assertThat(models.shadow("bikes")).isNull();
  }

  @Test
  void shadowThatCannotReadTheRecords_isRejectedAndTheServingOneUntouched() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    LedgerVersion second = ledger.publish(1, first, 0, 1);
    ModelHead head = ledger.head(first, HeadReason.INITIAL);
    ActiveModel serving = models.active("bikes");
    known =
        List.of(
            SchemaFile.parse(
                """
                {"type": "record", "name": "Ride", "fields": [
                  {"name": "temperature", "type": "string"}]}
                """));

    ledger.change(head, new HeadChange.Shadowed(1), first, second);

    assertThat(models.active("bikes")).isSameAs(serving);
    assertThat(models.shadow("bikes")).isNull();
    assertThat(served().rejections())
        .singleElement()
        .satisfies(rejection -> assertThat(rejection.version()).isEqualTo(1));
  }

  @Test
  void shadowWithoutATopicForItsScores_isRefusedOnceAndScoresAsSoonAsThereIsOne() {
    var missing = new AtomicBoolean(true);
    var now = new AtomicLong();
    var without =
        new ServedModels(
            List.of(settings),
            topic -> known,
            model ->
                missing.get() ? List.of("topic bikes.shadow-scores is missing") : List.<String>of(),
            new SimpleMeterRegistry(),
            () -> Instant.ofEpochMilli(now.get()));
    BikesLedger on = new BikesLedger(without, settings);
    LedgerVersion first = on.publish(0, null, 0, 0);
    LedgerVersion second = on.publish(1, first, 0, 1);
    on.change(on.head(first, HeadReason.INITIAL), new HeadChange.Shadowed(1), first, second);
    now.addAndGet(ServedModels.SHADOW_RETRY.toMillis());
    without.tidy();

    assertThat(without.active("bikes")).isNotNull();
    assertThat(without.shadow("bikes")).isNull();
    assertThat(without.find("bikes").orElseThrow().rejections())
        .singleElement()
        .satisfies(
            rejection -> {
              assertThat(rejection.reason()).isEqualTo("NO_SHADOW_TOPIC");
              assertThat(rejection.detail()).contains("bikes.shadow-scores");
            });

    missing.set(false);
    now.addAndGet(ServedModels.SHADOW_RETRY.toMillis() - 1);
    without.tidy();
    assertThat(without.shadow("bikes")).as("not looked for all the time").isNull();
    now.addAndGet(1);
    without.tidy();

    assertThat(without.shadow("bikes"))
        .satisfies(shadow -> assertThat(shadow).isNotNull().returns(1L, ActiveModel::number));
    assertThat(without.find("bikes").orElseThrow().swaps()).isEqualTo(1);
    missing.set(true);
    now.addAndGet(ServedModels.SHADOW_RETRY.toMillis());
    without.tidy();
    assertThat(without.shadow("bikes")).as("no longer in question").isNotNull();
  }

  @Test
  void recordsThatAreNone_changeNothing() {
    ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    models.apply(null, new byte[] {1}, 1);
    models.apply("nonsense", new byte[] {1}, 1);
    models.apply("bikes/head", new byte[] {1}, 1);
    models.apply("bikes/head", null, 1);
    models.apply("others/head", new byte[] {1}, 1);
    models.settle();

    assertThat(activeNumber()).isZero();
  }

  @Test
  void rejections_areKeptUpToABound() {
    for (int i = 0; i < 100; i++) {
      models.apply("bikes/head", new byte[] {1}, i);
    }

    assertThat(served().rejections()).hasSize(20);
    assertThat(served().rejections().getFirst().timestampMillis()).isEqualTo(99);
  }

  @Test
  void versions_areListedNewestFirstWithHashAndTime() {
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    LedgerVersion second = ledger.publish(1, first, 0, 1);

    assertThat(models.versions("bikes"))
        .extracting(KnownVersion::number, KnownVersion::hash, KnownVersion::timestampMillis)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1L, second.hash(), 1_000L),
            org.assertj.core.groups.Tuple.tuple(0L, first.hash(), 0L));
    assertThat(models.versions("others")).isEmpty();
  }

  private ServedModel served() {
    return models.find("bikes").orElseThrow();
  }

  private long activeNumber() {
    ActiveModel active = models.active("bikes");
    assertThat(active).isNotNull();
    return active == null ? -1 : active.number();
  }

  private long shadowNumber() {
    ActiveModel shadow = models.shadow("bikes");
    assertThat(shadow).isNotNull();
    return shadow == null ? -1 : shadow.number();
  }

  private static byte[] bytes(LedgerRecord record) {
    byte[] value = record.value();
    assertThat(value).isNotNull();
    return value == null ? new byte[0] : value;
  }
}
