package io.holdfast.trainer.window;

import java.time.Duration;

/** The least time between window ends, by when examples were written. Owned by one thread. */
final class RateLimit {
  /*
   * The times are in the log, so the same log gives the same windows however fast it is read. Clocks
   * differ a little and partitions are merged by event time, so the newest time so far counts; one far
   * before it says that the newest was wrong.
   */
  static final long NO_TIME = Long.MIN_VALUE;
  private static final long SET_BACK = Duration.ofMinutes(10).toMillis();

  private final long interval;
  private long newest = NO_TIME;
  private long ended = NO_TIME;

  /** No limit if {@code interval} is 0. */
  RateLimit(Duration interval) {
    this.interval = interval.toMillis();
  }

  /** Continues after a window that ended at {@code end}, a value of {@link #newest}. */
  void resume(long end) {
    newest = end;
    ended = end;
  }

  /** Takes the time at which an example was written. */
  void reached(long time) {
    if (time != NO_TIME && (newest == NO_TIME || time > newest || newest - time > SET_BACK)) {
      newest = time;
    }
  }

  /** The time of the newest example; {@link #NO_TIME} if none had one. */
  long newest() {
    return newest;
  }

  /** Whether a window may end with the newest example. */
  boolean passed() {
    return interval == 0 || ended == NO_TIME || newest < ended || newest - ended >= interval;
  }

  /** Whether the log was quiet for an interval before an example of that time. */
  boolean quietUntil(long time) {
    return newest != NO_TIME && time != NO_TIME && time - newest >= interval;
  }

  /** Ends a window with the newest example. */
  void end() {
    ended = newest;
  }
}
