package io.holdfast.bench.training;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Time since it was started: the processor's for its own thread, or the wall's. */
final class Stopwatch {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final boolean wall;
  private long start;

  /** Counts the thread's processor time if just one trains, which other programs change little. */
  Stopwatch(int threads) {
    wall = threads > 1;
  }

  void start() {
    start = nanos();
  }

  double millis() {
    return (nanos() - start) / 1e6;
  }

  private long nanos() {
    return wall ? System.nanoTime() : THREADS.getCurrentThreadCpuTime();
  }
}
