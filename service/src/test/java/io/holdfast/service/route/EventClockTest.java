package io.holdfast.service.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.schemas.trouble.Trouble;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.schemas.trouble.Troubles;
import io.holdfast.service.TopologyRun;
import java.time.Duration;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

final class EventClockTest {
  private static final long NOW = 1_700_000_000_000L;
  private static final RecordMetadata SOURCE =
      new RecordMetadata() {
        @Override
        public String topic() {
          return "bikes.records";
        }

        @Override
        public int partition() {
          return 2;
        }

        @Override
        public long offset() {
          return 17;
        }
      };

  private final Troubles troubles = TopologyRun.troubles();
  private final EventClock clock = new EventClock("bikes", Duration.ofSeconds(10), troubles);

  @Test
  void past_andAheadWithinTheSkew_stayAsTheyAre() {
    assertThat(clock.of(0, NOW, SOURCE)).isZero();
    assertThat(clock.of(NOW - 3_600_000, NOW, SOURCE)).isEqualTo(NOW - 3_600_000);
    assertThat(clock.of(NOW + 10_000, NOW, SOURCE)).isEqualTo(NOW + 10_000);
    assertThat(troubles.all()).isEmpty();
  }

  @Test
  void furtherAhead_countsAsOfNow_andIsATroubleWhileItLasts() {
    assertThat(clock.of(NOW + 3_000_000, NOW, SOURCE)).isEqualTo(NOW);

    assertThat(troubles.all()).extracting(Trouble::kind).containsExactly(TroubleKind.CLOCK_AHEAD);
    assertThat(troubles.all().getFirst().sentence())
        .isEqualTo(
            "bikes.records has 1 messages with a time more than 10 s ahead of this machine's"
                + " clock, the last at partition 2, offset 17 by 50 min (2023-11-14T23:03:20Z): they"
                + " count as of now; set the clocks right, of the producers or of this machine");
    clock.look(NOW + EventClock.LASTING.toMillis());
    assertThat(troubles.all()).hasSize(1);
    clock.look(NOW + EventClock.LASTING.toMillis() + 1);
    assertThat(troubles.all()).isEmpty();
  }

  @Test
  void whileTheyCome_itLastsThoughAnotherClockEndsIt() {
    for (int i = 0; i < 20; i++) {
      var _ = clock.of(NOW + 3_000_000, NOW + i * 100L, SOURCE);
      if (i == 5) {
        troubles.end("bikes", TroubleKind.CLOCK_AHEAD);
      }
    }

    assertThat(troubles.isActive("bikes", TroubleKind.CLOCK_AHEAD)).isTrue();
  }
}
