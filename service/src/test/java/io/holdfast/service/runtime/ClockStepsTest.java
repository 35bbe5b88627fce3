package io.holdfast.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

final class ClockStepsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final TwoClocks time = new TwoClocks();
  private final ClockSteps steps = new ClockSteps(time);

  /** A clock that may be set, and one that may not. */
  private static final class TwoClocks implements Time {
    private Duration wall = Duration.ofDays(20_000);
    private Duration since = Duration.ofDays(-3); // of any sign

    void pass(Duration duration, Duration onTheWall) {
      since = since.plus(duration);
      wall = wall.plus(onTheWall);
    }

    @Override
    public long milliseconds() {
      return wall.toMillis();
    }

    @Override
    public long nanoseconds() {
      return since.toNanos();
    }

    @Override
    public void sleep(long millis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void waitObject(Object on, Supplier<Boolean> condition, long deadline) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void time_thatGoesOn_isNoStep() {
    for (Duration tick : new Duration[] {Duration.ofMillis(200), HOUR, Duration.ZERO}) {
      time.pass(tick, tick);
      assertThat(steps.setBack()).isZero();
    }
  }

  @Test
  void clockSetBack_isSaidOnce_byHowFar() {
    time.pass(Duration.ofMillis(200), HOUR.negated());
    assertThat(steps.setBack()).isEqualTo(HOUR.plusMillis(200));
    time.pass(Duration.ofMillis(200), Duration.ofMillis(200));
    assertThat(steps.setBack()).isZero();
  }

  @Test
  void clockSetAhead_orSlewed_isNone() {
    time.pass(Duration.ofMillis(200), HOUR);
    assertThat(steps.setBack()).isZero();
    for (int tick = 0; tick < 1_000; tick++) {
      time.pass(Duration.ofMillis(200), Duration.ofMillis(100));
      assertThat(steps.setBack()).isZero();
    }
    time.pass(ClockSteps.LITTLE, Duration.ZERO);
    assertThat(steps.setBack()).isZero();
    time.pass(ClockSteps.LITTLE.plusMillis(1), Duration.ZERO);
    assertThat(steps.setBack()).isPositive();
  }
}
