package io.holdfast.trainer.window;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;

/**
 * Looks at where the partitions of a log end, from time to time, and says what has been in them for
 * at least a given time. Not thread-safe; time is an argument.
 */
public final class LogEnds {
  /*
   * The claim that makes windows a function of the log: if no record reaches the broker later than
   * `idle` after one of another partition with the same or a later timestamp, then PartitionMerge
   * gives the same sequence however the log was polled. For let x be handed out past the partition
   * p, which has nothing. A look that was answered at time t found x in its partition, and a look
   * that was asked for at t + idle or later found the end up to which p has been read. What comes to
   * p after that comes more than idle after x, so its timestamp is later than that of x.
   *
   * Nothing in this depends on when rows are polled or how long training takes in between. Looks are
   * a quarter of idle apart, so a row waits little longer than idle, and what was in the log when it
   * was opened waits once for all.
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

  /**
   * Takes a look.
   *
   * @param asked the time in nanoseconds before it
   * @param answered the time after it
   * @param ends the offset behind the last record of each partition
   */
  public void look(long asked, long answered, Map<Integer, Long> ends) {
    while (!looks.isEmpty() && asked - looks.getFirst().answered() >= idleNanos) {
      settled = looks.removeFirst().ends();
    }
    looks.add(new Look(answered, Map.copyOf(ends)));
  }

  /** Where the partition ended when last looked at; beyond every offset if it never was. */
  public long end(int partition) {
    return looks.isEmpty()
        ? Long.MAX_VALUE
        : looks.getLast().ends().getOrDefault(partition, Long.MAX_VALUE);
  }

  /** The offset below which records had been in the partition for long enough at the last look. */
  public long settled(int partition) {
    return idleNanos == 0 ? Long.MAX_VALUE : settled.getOrDefault(partition, 0L);
  }
}
