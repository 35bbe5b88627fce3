package io.holdfast.service.access;

import io.holdfast.schemas.settings.Security;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Tokens that were not valid, by the address that they came from: after some, it has to wait. One
 * that was valid before is let through, since many may come from the address of a proxy.
 * Thread-safe.
 */
@Singleton
final class Failures {
  static final int MOST = 10;
  static final Duration WINDOW = Duration.ofMinutes(1);

  private static final int MOST_ADDRESSES = 10_000;
  private static final int MOST_TOKENS = 1_000;

  private final LongSupplier nanos;
  private final Map<String, Count> counts = bounded(MOST_ADDRESSES);
  private final Map<String, Boolean> valid = bounded(MOST_TOKENS); // by hash

  private record Count(long since, int failures) {}

  Failures() {
    this(System::nanoTime);
  }

  Failures(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private static <T> Map<String, T> bounded(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
        return size() > most;
      }
    };
  }

  /** How long the address has to wait before it may try this token; zero if it may now. */
  synchronized Duration wait(String address, String token) {
    Count count = counts.get(address);
    if (count == null || count.failures() < MOST || valid.containsKey(Security.hash(token))) {
      return Duration.ZERO;
    }
    Duration left = WINDOW.minusNanos(nanos.getAsLong() - count.since());
    return left.isPositive() ? left : Duration.ZERO;
  }

  synchronized void failed(String address) {
    long now = nanos.getAsLong();
    Count count = counts.get(address);
    boolean fresh = count == null || now - count.since() >= WINDOW.toNanos();
    counts.put(
        address,
        count == null || fresh
            ? new Count(now, 1)
            : new Count(count.since(), count.failures() + 1));
  }

  synchronized void succeeded(String token) {
    valid.put(Security.hash(token), true);
  }
}
