package io.holdfast.trainer.window;

import java.time.Duration;

/**
 * How far apart windows end at least, by the times at which their examples were written. Owned by
 * the training thread; not thread-safe.
 */
final class RateLimit {
  /*
   * The times stand in the log, so the same log gives the same windows, however fast it is read.
   * Services' clocks differ a little, and partitions are merged by the times of events: the newest
   * time so far counts. One that is far before it says that the newest was wrong.
   */
  static final long NO_TIME = Long.MIN_VALUE;
  private static final long SET_BACK = Duration.ofMinutes(10).toMillis();

  private final long interval;
  private long newest = NO_TIME;
  private long ended = NO_TIME;

  /** Windows end {@code interval} apart; 0 for no limit. */
  RateLimit(Duration interval) {
    this.interval = interval.toMillis();
  }

  /** Goes on after a window that ended at a time that {@link #newest} gave. */
  void resume(long end) {
    newest = end;
    ended = end;
  }

  /** An example was written at that time. */
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

  /** Whether the log was quiet for as long before an example of that time. */
  boolean quietUntil(long time) {
    return newest != NO_TIME && time != NO_TIME && time - newest >= interval;
  }

  /** A window ends with the newest example. */
  void end() {
    ended = newest;
  }
}
