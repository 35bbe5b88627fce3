package io.holdfast.service.join;

import io.holdfast.schemas.lag.ReadableRecords;
import io.holdfast.service.join.ReadSide.Span;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Positions that stand before an end. A group commits what it has taken; where a partition ends in
 * an aborted transaction it takes nothing and may never commit past it. So offsets that it stands
 * at are looked at: if no record is there, the group has passed them. Thread-safe.
 */
final class StandingPositions {
  private static final Logger LOG = LoggerFactory.getLogger(StandingPositions.class);
  private static final long STANDING_MILLIS = 1_000;

  private final ReadableRecords readable;
  private final Map<TopicPartition, Standing> standing = new HashMap<>();
  private boolean looking;
  private long asked;

  /** Since when a group's position is the same, and whether a record is known to be there. */
  private record Standing(long position, long since, boolean records) {}

  StandingPositions(Map<String, String> kafka) {
    readable = new ReadableRecords(kafka);
  }

  /** Looks at one partition at a time, on a thread of its own: to read may take seconds. */
  synchronized void look(List<ReadSide> sides, Map<TopicPartition, Long> ends, long now) {
    asked = now;
    if (looking) {
      return;
    }
    for (ReadSide side : sides) {
      for (TopicPartition partition : side.partitions()) {
        long position = side.position(partition);
        Standing before = standing.get(partition);
        if (side.left(partition, ends) == 0) {
          standing.remove(partition);
        } else if (before == null || before.position() != position) {
          standing.put(partition, new Standing(position, now, false));
        } else if (!before.records() && now - before.since() >= STANDING_MILLIS) {
          Span span = new Span(position, ends.getOrDefault(partition, position));
          looking = true;
          Thread.ofVirtual().name("label-join-look").start(() -> look(side, partition, span));
          return;
        }
      }
    }
  }

  private void look(ReadSide side, TopicPartition partition, Span span) {
    boolean any = true;
    boolean failed = false;
    try {
      any = readable.anyBetween(partition, span.from(), span.to());
    } catch (KafkaException e) {
      failed = true;
      LOG.debug("{} cannot be looked at, and is again later", partition, e);
    }
    synchronized (this) {
      looking = false;
      if (any) {
        standing.put(partition, new Standing(span.from(), asked, !failed));
      } else {
        side.skip(partition, span);
        standing.remove(partition);
      }
    }
  }
}
