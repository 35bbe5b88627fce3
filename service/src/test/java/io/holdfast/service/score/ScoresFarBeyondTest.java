package io.holdfast.service.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.avro.HeadReason;
import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.WrittenFramings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.Bikes;
import io.holdfast.service.BikesLedger;
import io.holdfast.service.TopologyRun;
import io.holdfast.service.model.ScoreWatch;
import io.holdfast.service.model.ServedModels;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scores that are further from all labels than these lie apart. */
class ScoresFarBeyondTest {
  private static final double COLD = 10; // is scored -0.5
  private static final double WARM = 25; // is scored 2.5

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Troubles troubles = TopologyRun.troubles();
  private final ModelSettings settings = Bikes.settings();
  private final ServedModels models =
      new ServedModels(
          List.of(settings),
          _ -> List.of(Bikes.RIDE),
          _ -> List.of(),
          meters,
          InstantSource.fixed(Instant.ofEpochSecond(5_000)));
  private final TopologyRun run = start();

  private TopologyRun start() {
    var ledger = new BikesLedger(models, settings);
    ledger.head(ledger.publish(0, null, -1, 2), HeadReason.INITIAL);
    return new TopologyRun(
        ScoringTopology.of(
            List.of(settings),
            RecordFraming.of(Bikes.FRAMING),
            WrittenFramings.SINGLE,
            models,
            meters,
            troubles,
            null));
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void scoreFarBeyondAllLabels_isCounted_andATroubleUntilAThousandAreNot() {
    send(ScoreWatch.FEWEST_LABELS - 1, COLD, 0.0, 0.5);
    send(1, WARM, (Double) null);
    assertThat(counted()).as("labels that say little").isZero();
    send(1, COLD, 0.0);
    send(1, COLD, (Double) null);
    assertThat(counted()).as("as far as they lie apart").isZero();
    assertThat(sentence()).isEmpty();

    send(2, WARM, (Double) null);
    assertThat(counted()).isEqualTo(2);
    assertThat(sentence())
        .startsWith("2 scores, such as 2.500, are far beyond all labels that came since the start")
        .contains(", 0.000 to 0.5000: ");

    send(999, COLD, (Double) null);
    assertThat(sentence()).isNotEmpty();
    send(1, COLD, (Double) null);
    assertThat(sentence()).isEmpty();

    send(1, WARM, 2.0); // with its own label, which was not there yet
    assertThat(sentence()).startsWith("1 scores, such as 2.500");
    send(1, WARM, (Double) null);
    assertThat(counted()).as("labels go further now").isEqualTo(3);
  }

  private void send(int records, double temperature, @Nullable Double... labels) {
    for (int i = 0; i < records; i++) {
      byte[] value = Bikes.ride(temperature, "SUMMER", labels[i % labels.length], null);
      run.input("bikes.records").pipeInput("k".getBytes(UTF_8), value);
    }
  }

  private double counted() {
    return meters.get(ScoreWatch.FAR_BEYOND).tag("model", "bikes").counter().count();
  }

  private String sentence() {
    models.judge(troubles);
    return troubles.of("bikes").stream()
        .filter(trouble -> trouble.kind() == TroubleKind.SCORES_FAR_BEYOND_LABELS)
        .map(trouble -> trouble.sentence())
        .findFirst()
        .orElse("");
  }
}
