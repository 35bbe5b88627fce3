package io.holdfast.service.runtime;

import java.time.Duration;
import org.apache.kafka.common.utils.Time;

/**
 * Tells when the clock that Kafka's clients wait by was set back: until it is where it was, they
 * send no heartbeat, and Kafka Streams commits nothing. Owned by one thread.
 */
final class ClockSteps {
  /** Waits may be so much longer, unnoticed. */
  static final Duration LITTLE = Duration.ofSeconds(2);

  private final Time time;
  private long millis;
  private long nanos;

  /** Looks for the first time. */
  ClockSteps(Time time) {
    this.time = time;
    this.millis = time.milliseconds();
    this.nanos = time.nanoseconds();
  }

  /** How far it was set back since the last look; zero if it was not, or by little. */
  Duration setBack() {
    long nowMillis = time.milliseconds();
    long nowNanos = time.nanoseconds();
    Duration step = Duration.ofNanos(nowNanos - nanos).minus(Duration.ofMillis(nowMillis - millis));
    millis = nowMillis;
    nanos = nowNanos;
    return step.compareTo(LITTLE) > 0 ? step : Duration.ZERO;
  }
}
