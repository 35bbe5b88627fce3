package io.holdfast.service.label;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How much later than its record each used label of one model's topic is, by their own times.
 * Thread-safe.
 */
public final class LabelDelay {
  /** The timer. */
  public static final String NAME = "holdfast.labels.delay";

  private static final Duration[] BUCKETS = {
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10),
    Duration.ofHours(1),
    Duration.ofHours(6),
    Duration.ofDays(1),
    Duration.ofDays(7),
    Duration.ofDays(30)
  };

  private final Timer timer;

  public LabelDelay(MeterRegistry meters, String model) {
    timer =
        Timer.builder(NAME)
            .description("How much later than its record a used label is, by their own times")
            .tag("model", model)
            .serviceLevelObjectives(BUCKETS)
            .register(meters);
  }

  /** A label was used; one before its record counts as 0. */
  public void record(long millis) {
    timer.record(Math.max(0, millis), TimeUnit.MILLISECONDS);
  }

  /** The mean since the start, in seconds, of a model's timer; null if there was none. */
  public static @Nullable Double meanSeconds(@Nullable Timer timer) {
    return timer == null || timer.count() == 0 ? null : (Double) timer.mean(TimeUnit.SECONDS);
  }
}
