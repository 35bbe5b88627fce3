package io.holdfast.bench.pipeline;

import io.holdfast.service.model.ActiveModel;
import io.holdfast.service.model.ModelSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;

/** When each version was laid out and ready to score, as seen by a thread that looks often. */
final class ReadyTimes {
  private static final long EVERY_NANOS = 200_000;

  private final ConcurrentMap<Long, Long> times = new ConcurrentHashMap<>();

  /** Looks from now on, as long as the JVM lives. */
  void watch(ModelSource models, String model) {
    Thread.ofPlatform()
        .daemon()
        .name("ready")
        .start(
            () -> {
              while (true) {
                ActiveModel active = models.active(model);
                if (active != null) {
                  times.putIfAbsent(active.number(), System.nanoTime());
                }
                LockSupport.parkNanos(EVERY_NANOS);
              }
            });
  }

  /** {@code System.nanoTime()} when the version was first seen; now, if it was not. */
  long nanosOf(long version) {
    return times.getOrDefault(version, System.nanoTime());
  }
}
