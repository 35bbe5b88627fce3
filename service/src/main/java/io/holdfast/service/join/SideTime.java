package io.holdfast.service.join;

/**
 * How far events of one side have come for certain: to the oldest of the newest {@value #NEWEST}.
 * Fewer than that in a row that are ahead do not move it. Owned by one thread.
 */
final class SideTime {
  private static final int NEWEST = 256;

  private final long[] times = new long[NEWEST];
  private long seen;

  void add(long eventMillis) {
    times[(int) (seen++ % NEWEST)] = eventMillis;
  }

  /** Not known, which is as early as can be, before so many have been seen. */
  long reached() {
    if (seen < NEWEST) {
      return Long.MIN_VALUE;
    }
    long oldest = Long.MAX_VALUE;
    for (long time : times) {
      oldest = Math.min(oldest, time);
    }
    return oldest;
  }
}
