package io.holdfast.cli.stream;

import io.holdfast.boosting.numeric.Check;
import java.util.concurrent.locks.LockSupport;

/** Lets steps through at an even rate. Owned by one thread; not thread-safe. */
public final class Pace {
  /*
   * Step k is due at start + k / rate, whatever the steps before took: a stall is caught up on, for
   * at most a second's worth, so that the rate holds over time and a long stall makes no flood.
   */
  private static final long SECOND = 1_000_000_000;

  private final double nanosPerStep;
  private long start = System.nanoTime();
  private long steps;

  /** {@code rate} steps a second; 0 is as fast as it goes. */
  public Pace(double rate) {
    Check.that(rate >= 0 && rate < Double.POSITIVE_INFINITY, "rate must be 0 or more: %s", rate);
    nanosPerStep = rate == 0 ? 0 : SECOND / rate;
  }

  /** Waits until the next step is due; returns at once if the thread is interrupted. */
  public void await() {
    if (nanosPerStep == 0) {
      return;
    }
    long due = start + (long) (steps * nanosPerStep);
    steps++;
    long behind = System.nanoTime() - due;
    if (behind > SECOND) {
      start += behind - SECOND;
      return;
    }
    while (System.nanoTime() < due && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }
}
