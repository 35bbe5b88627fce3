package io.holdfast.schemas.registry;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Spares a registry that gives no answers: after each, nobody asks for longer. Thread-safe. */
final class BackOff {
  static final Duration FIRST = Duration.ofMillis(200);
  static final Duration LONGEST = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private long pauseNanos;
  private long untilNanos;
  private @Nullable RegistryException failure;

  BackOff(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Lets a request through. Throws RegistryException the last failure, while nobody is to ask. */
  synchronized void check() throws RegistryException {
    if (failure != null && nanos.getAsLong() - untilNanos < 0) {
      throw failure;
    }
  }

  synchronized void failed(RegistryException with) {
    pauseNanos = Math.clamp(2 * pauseNanos, FIRST.toNanos(), LONGEST.toNanos());
    untilNanos = nanos.getAsLong() + pauseNanos;
    failure = with;
  }

  synchronized void answered() {
    pauseNanos = 0;
    failure = null;
  }
}
