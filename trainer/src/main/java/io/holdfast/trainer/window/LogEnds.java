package io.holdfast.trainer.window;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;

/** Which records have been in a log for at least a given time. Not thread-safe. */
public final class LogEnds {
  /*
   * This makes windows a function of the log: if no record reaches the broker later than `idle` after
   * one of another partition with the same or a later timestamp, then PartitionMerge gives the same
   * sequence however the log was polled. For let x be handed out past the empty partition p. A look
   * answered at time t found x, and a look asked for at t + idle or later found the end up to which p has
   * been read. What comes to p after that comes more than idle after x, so its timestamp is later.
   *
   * Neither polls nor training times play a part. Looks are a quarter of idle apart, so a row waits
   * little longer than idle, and what was there when the log was opened waits once.
   */
  private static final int LOOKS = 4;

  private final long idleNanos;
  private final ArrayDeque<Look> looks = new ArrayDeque<>();
  private Map<Integer, Long> settled = Map.of();

  private record Look(long answered, Map<Integer, Long> ends) {}

  /** Records settle after {@code idle}; at once if it is zero. */
  public LogEnds(Duration idle) {
    idleNanos = idle.toNanos();
  }

  /** Whether it is time for {@link #look}. */
  public boolean due(long nanos) {
    return looks.isEmpty() || nanos - looks.getLast().answered() >= idleNanos / LOOKS;
  }

  /** Takes the offsets behind the partitions' last records; times are nanoseconds. */
  public void look(long asked, long answered, Map<Integer, Long> ends) {
    while (!looks.isEmpty() && asked - looks.getFirst().answered() >= idleNanos) {
      settled = looks.removeFirst().ends();
    }
    looks.add(new Look(answered, Map.copyOf(ends)));
  }

  /** Where the partition ended at the last look; beyond every offset if there was none. */
  public long end(int partition) {
    return looks.isEmpty()
        ? Long.MAX_VALUE
        : looks.getLast().ends().getOrDefault(partition, Long.MAX_VALUE);
  }

  /** The offset below which records had settled at the last look. */
  public long settled(int partition) {
    return idleNanos == 0 ? Long.MAX_VALUE : settled.getOrDefault(partition, 0L);
  }
}
