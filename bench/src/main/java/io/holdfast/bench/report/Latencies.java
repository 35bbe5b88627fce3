package io.holdfast.bench.report;

import java.util.Arrays;

/** Latencies in the order they came, and their quantiles. Owned by one thread. */
public final class Latencies {
  private long[] nanos = new long[1 << 16];
  private int size;

  /** Takes one. */
  public void add(long latencyNanos) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * size);
    }
    nanos[size++] = latencyNanos;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** In milliseconds: the smallest latency that at least {@code share} of all do not exceed. */
  public double quantileMillis(double share) {
    long[] sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    int rank = Math.max(1, (int) Math.ceil(share * size));
    return sorted[rank - 1] / 1e6;
  }
}
