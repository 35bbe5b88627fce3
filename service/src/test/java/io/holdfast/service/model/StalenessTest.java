package io.holdfast.service.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.LedgerVersion;
import io.holdfast.service.Bikes;
import io.holdfast.service.BikesLedger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StalenessTest {
  private static final Instant MADE_HEAD = Instant.ofEpochSecond(1_000); // by BikesLedger
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Instant now = MADE_HEAD;

  @Test
  void model_thatServesLongerThanItsMaxAge_isStale() {
    ServedModel served = served(Bikes.settings("maxModelAge", "3h"), true);

    now = MADE_HEAD.plusSeconds(3 * 3_600);
    assertThat(served.staleness()).isEmpty();
    assertThat(stale()).isZero();

    now = MADE_HEAD.plusSeconds(50 * 3_600);
    assertThat(served.staleness())
        .hasValueSatisfying(
            sentence ->
                assertThat(sentence)
                    .startsWith("model bikes has served version 0 for 2 d, longer than")
                    .contains("maxModelAge of 3 h"));
    assertThat(stale()).isEqualTo(1);
  }

  @Test
  void model_withoutAMaxAge_isNeverStale() {
    ServedModel served = served(Bikes.settings(), true);
    now = MADE_HEAD.plusSeconds(1_000_000);

    assertThat(served.staleness()).isEmpty();
    assertThat(stale()).isZero();
  }

  @Test
  void model_thatDoesNotServeYet_isAwaitedAndNotStale() {
    ServedModel served = served(Bikes.settings("maxModelAge", "1s"), false);
    now = MADE_HEAD.plusSeconds(1_000_000);

    assertThat(served.staleness()).isEmpty();
    assertThat(stale()).isZero();
  }

  @Test
  void decoders_ofTheVersionThatServesNext_areCompiledBeforeItServes() throws Exception {
    var models =
        new ServedModels(
            List.of(Bikes.settings()),
            topic -> List.of(Bikes.RIDE),
            _ -> List.of(),
            meters,
            () -> now);
    var ledger = new BikesLedger(models, Bikes.settings());
    LedgerVersion first = ledger.publish(0, null, 0, 0);
    ledger.head(first, HeadReason.INITIAL);
    ledger.head(ledger.publish(1, first, 0, 1), HeadReason.TRAINED);

    ActiveModel active = models.active("bikes");
    assertThat(active).isNotNull();
    if (active != null) {
      assertThat(active.number()).isEqualTo(1);
      assertThat(active.readableSchemas()).containsExactly(Bikes.RIDE);
    }
  }

  private ServedModel served(ModelSettings settings, boolean serves) {
    var models =
        new ServedModels(
            List.of(settings), topic -> List.of(Bikes.RIDE), _ -> List.of(), meters, () -> now);
    if (serves) {
      var ledger = new BikesLedger(models, settings);
      ledger.head(ledger.publish(0, null, 0, 0), HeadReason.INITIAL);
    }
    return models.find("bikes").orElseThrow();
  }

  private double stale() {
    return meters.get("holdfast.model.stale").gauge().value();
  }
}
