package io.holdfast.schemas.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * When the records of one stage's topics arrived, as far as it was seen. Owned by one thread.
 *
 * <p>A record's own time is no measure of how long it has been waiting: it is the event's, which
 * may lie years back in a replay, or ahead of every clock. What counts is when the record was first
 * seen to be there. Of those that were there before anyone looked, it is their own time, where the
 * topic is written to by the clock.
 */
final class Arrivals {
  /** So long a history is kept at full detail; more of it is thinned out. */
  private static final int MOST = 512;

  private record Sight(Instant time, Map<TopicPartition, Long> ends) {}

  private final Deque<Sight> sights = new ArrayDeque<>(); // oldest first
  private final Map<TopicPartition, Long> firstEnds = new HashMap<>();
  private final Set<TopicPartition> live = new HashSet<>();

  /** Whether a partition was never looked at before. */
  boolean isNew(TopicPartition partition) {
    return !firstEnds.containsKey(partition);
  }

  /** The first look at a partition. */
  void begin(TopicPartition partition, long end, boolean writtenByTheClock) {
    firstEnds.put(partition, end);
    if (writtenByTheClock) {
      live.add(partition);
    }
  }

  /** Notes where the partitions end now. */
  void see(Instant now, Collection<Unread> unread) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    unread.forEach(part -> ends.put(part.partition(), part.end()));
    if (sights.isEmpty() || !sights.getLast().ends().equals(ends)) {
      sights.addLast(new Sight(now, ends));
    }
    if (sights.size() > MOST) {
      thin();
    }
  }

  /** Every other one of the older half goes. */
  private void thin() {
    Iterator<Sight> each = sights.iterator();
    for (int k = 0; k < MOST / 2; k++) {
      each.next();
      if (k % 2 == 1) {
        each.remove();
      }
    }
  }

  /**
   * How long the oldest records that make a batch have been waiting; zero if there are not enough.
   * What is older than all that is unread is forgotten.
   */
  Duration waited(Instant now, Collection<Unread> unread, int batch) {
    while (!sights.isEmpty() && rows(sights.getFirst(), unread) == 0) {
      sights.removeFirst();
    }
    Duration waited =
        sights.stream()
            .filter(sight -> rows(sight, unread) >= batch)
            .findFirst()
            .map(sight -> Duration.between(sight.time(), now))
            .orElse(Duration.ZERO);
    if (batch == 1) {
      for (Unread part : unread) {
        Duration age = age(now, part);
        waited = age.compareTo(waited) > 0 ? age : waited;
      }
    }
    return waited;
  }

  private static long rows(Sight sight, Collection<Unread> unread) {
    return unread.stream()
        .mapToLong(part -> part.rowsBefore(sight.ends().getOrDefault(part.partition(), 0L)))
        .sum();
  }

  /** By the first record's own time, if that is worth anything. */
  private Duration age(Instant now, Unread part) {
    long millis = now.toEpochMilli() - part.timestampMillis();
    boolean before = part.first() < firstEnds.getOrDefault(part.partition(), 0L);
    boolean counts = part.appended() || (before && live.contains(part.partition()));
    return part.rows() > 0 && counts && millis > 0 ? Duration.ofMillis(millis) : Duration.ZERO;
  }
}
