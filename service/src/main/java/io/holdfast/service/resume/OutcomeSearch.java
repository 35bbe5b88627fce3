package io.holdfast.service.resume;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.topic.TopicException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks for the last messages of a topic's partitions that have an outcome. Owned by one thread.
 */
final class OutcomeSearch {
  private static final long FIRST_STRETCH = 500;
  private static final long LONGEST_STRETCH = 100_000;

  /** Of so many outcomes one must be of a message that the topic has. */
  private static final int COMPARED = 20;

  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final RangeReader committed;
  private final RangeReader all;
  private final String topic;
  private final Set<Integer> partitions;
  private final Map<Integer, Long> points = new TreeMap<>();
  private final Set<Integer> untold = new TreeSet<>();

  /**
   * Finds nothing yet.
   *
   * @param committed reads what is committed
   * @param all reads what open transactions have written, too
   */
  OutcomeSearch(RangeReader committed, RangeReader all, String topic, Set<Integer> partitions) {
    this.committed = committed;
    this.all = all;
    this.topic = topic;
    this.partitions = partitions;
  }

  /** The offsets behind those messages; fails if what should tell of one is gone. */
  Map<Integer, Long> points(String group) {
    for (int partition : untold) {
      TopicPartition source = new TopicPartition(topic, partition);
      if (committed.begin(source) < all.end(source)) {
        throw new TopicException(
            Sentence.of(
                "group %s has no committed offset of %s, and the scores that would say how far it"
                    + " was scored have been deleted since: while no instance runs, set where it is"
                    + " to go on with 'kafka-consumer-groups.sh --group %s --topic %s:%d"
                    + " --reset-offsets --to-latest --execute', or --to-earliest to have what is"
                    + " there scored, maybe again",
                group, source, group, topic, partition));
      }
    }
    return points;
  }

  /** Looks through a topic of outcomes. */
  void in(OutcomeTopic outcomes) {
    int count = committed.partitions(outcomes.name());
    Set<Integer> open = new TreeSet<>(partitions);
    open.removeIf(this::done);
    for (int partition = 0; partition < count; partition++) {
      Set<Integer> left = new TreeSet<>();
      for (int source : open) {
        if (outcomes.placing().has(source, partition, count)) {
          left.add(source);
        }
      }
      if (!left.isEmpty()) {
        look(outcomes, new TopicPartition(outcomes.name(), partition), left);
      }
    }
  }

  /** Whether its last message is known to have an outcome, or there is none. */
  private boolean done(int partition) {
    TopicPartition source = new TopicPartition(topic, partition);
    return points.getOrDefault(partition, committed.begin(source)) >= all.end(source);
  }

  /** Backwards, by stretches that grow, until each partition was told of. */
  private void look(OutcomeTopic outcomes, TopicPartition where, Set<Integer> left) {
    long begin = committed.begin(where);
    long to = settledEnd(outcomes, where, left);
    long stretch = FIRST_STRETCH;
    while (to > begin && !left.isEmpty()) {
      long from = Math.max(begin, to - stretch);
      Map<Integer, Deque<Source>> newest = newest(outcomes, where, from, to);
      for (Iterator<Integer> each = left.iterator(); each.hasNext(); ) {
        int source = each.next();
        Deque<Source> told = newest.get(source);
        if (told != null) {
          take(source, told);
          each.remove();
        }
      }
      to = from;
      stretch = Math.min(LONGEST_STRETCH, 4 * stretch);
    }
    if (outcomes.required() && begin > 0) {
      untold.addAll(left); // it has had some, which are gone
    }
  }

  private Map<Integer, Deque<Source>> newest(
      OutcomeTopic outcomes, TopicPartition where, long from, long to) {
    Map<Integer, Deque<Source>> newest = new HashMap<>();
    committed.read(
        where,
        from,
        to,
        message -> {
          Source source = outcomes.reading().of(message);
          if (source != null) {
            Deque<Source> kept =
                newest.computeIfAbsent(source.partition(), _ -> new ArrayDeque<>());
            kept.addFirst(source);
            if (kept.size() > COMPARED) {
              kept.removeLast();
            }
          }
        });
    return newest;
  }

  /** The newest that the topic has counts; if it has none of them, it is another topic's. */
  private void take(int partition, Deque<Source> newestFirst) {
    TopicPartition source = new TopicPartition(topic, partition);
    long begin = all.begin(source);
    long end = all.end(source);
    for (Source told : newestFirst) {
      if (told.offset() < begin) {
        points.merge(partition, begin, Math::max); // what it was is gone, and so are those before
        return;
      }
      var message = all.at(source, told.offset(), end);
      if (message != null && told.is(message)) {
        points.merge(partition, told.offset() + 1, Math::max);
        return;
      }
    }
  }

  /**
   * The end of what is committed, once no open transaction hides an outcome of these partitions:
   * behind one there may be others that are committed. One of our own, of other partitions, may
   * stay open.
   */
  private long settledEnd(OutcomeTopic outcomes, TopicPartition where, Set<Integer> sources) {
    long end = all.end(where);
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long readable = committed.end(where);
    while (readable < end && tellsOf(outcomes, where, readable, end, sources)) {
      if (System.nanoTime() - deadline > 0) {
        throw new TopicException(
            Sentence.of(
                "how far %s has outcomes cannot be seen: a transaction on %s has been open for long",
                topic, where));
      }
      committed.pause(where);
      readable = committed.end(where);
    }
    return readable;
  }

  private boolean tellsOf(
      OutcomeTopic outcomes, TopicPartition where, long from, long to, Set<Integer> sources) {
    Set<Integer> told = new TreeSet<>();
    all.read(
        where,
        from,
        to,
        message -> {
          Source source = outcomes.reading().of(message);
          if (source != null) {
            told.add(source.partition());
          }
        });
    told.retainAll(sources);
    return !told.isEmpty();
  }
}
