package io.holdfast.trainer.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogEndsTest {
  private final LogEnds ends = new LogEnds(Duration.ofNanos(100));

  @Test
  void records_settle_onceALookAfterIdleFoundThemThereBefore() {
    assertThat(ends.end(0)).isEqualTo(Long.MAX_VALUE);
    ends.look(0, 10, Map.of(0, 5L, 1, 3L));
    assertThat(ends.end(0)).isEqualTo(5);
    assertThat(ends.settled(0)).isZero();

    ends.look(109, 120, Map.of(0, 8L, 1, 3L)); // 99 after the answer
    assertThat(ends.settled(0)).isZero();
    ends.look(110, 125, Map.of(0, 9L, 1, 4L));
    assertThat(ends.settled(0)).isEqualTo(5);
    assertThat(ends.end(1)).isEqualTo(4);
    ends.look(1_000, 1_001, Map.of(0, 20L, 1, 4L));
    assertThat(ends.settled(0)).isEqualTo(9);
  }

  @Test
  void partition_thatWasNeverLookedAt_isNotAtItsEnd() {
    ends.look(0, 1, Map.of(0, 5L));

    assertThat(ends.end(1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void looks_areDueFourTimesAnIdle() {
    assertThat(ends.due(0)).isTrue();
    ends.look(0, 10, Map.of());
    assertThat(ends.due(34)).isFalse();
    assertThat(ends.due(35)).isTrue();
  }

  @Test
  void records_settleAtOnce_ifThereIsNoIdleTime() {
    assertThat(new LogEnds(Duration.ZERO).settled(0)).isEqualTo(Long.MAX_VALUE);
  }
}
