package io.holdfast.service.join;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Ends that topics had at some moment, by number, until both sides have passed them. Those that
 * wait long are kept ever further apart, so that a backlog of hours costs a few hundred at most.
 * Not thread-safe.
 */
final class Marks {
  private static final int APART = 16;

  private final Deque<Mark> waiting = new ArrayDeque<>();
  private boolean wanted;
  private long newest;
  private long recordsPassed;
  private long labelsPassed;

  /** Ends of partitions. */
  record Mark(long number, long begunAt, Map<TopicPartition, Long> ends) {}

  /** Wants a mark of ends that are asked for from now on; its number. */
  long want() {
    wanted = true;
    return newest + 1;
  }

  /** Has the mark that was asked for last made again, under a later number. */
  void lost() {
    wanted = true;
  }

  /** The number of the mark that is to be made now; 0 if none is. */
  long due(long now) {
    Mark last = waiting.peekLast();
    boolean apart =
        last == null || now - last.begunAt() >= (now - waiting.getFirst().begunAt()) / APART;
    if (!wanted || !apart) {
      return 0;
    }
    wanted = false;
    return ++newest;
  }

  void add(Mark mark) {
    waiting.add(mark);
  }

  /** Whether nobody waits for anything. */
  boolean idle() {
    return !wanted && waiting.isEmpty();
  }

  @Nullable Mark oldest() {
    return waiting.peekFirst();
  }

  boolean recordsPassed(long mark) {
    return recordsPassed >= mark;
  }

  boolean labelsPassed(long mark) {
    return labelsPassed >= mark;
  }

  /** Lets go of the marks that both have passed. */
  void settle(ReadSide records, ReadSide labels) {
    for (Iterator<Mark> all = waiting.iterator(); all.hasNext(); ) {
      Mark mark = all.next();
      boolean recordsDone = mark.number() <= recordsPassed || records.passed(mark.ends());
      boolean labelsDone = mark.number() <= labelsPassed || labels.passed(mark.ends());
      if (recordsDone) {
        recordsPassed = Math.max(recordsPassed, mark.number());
      }
      if (labelsDone) {
        labelsPassed = Math.max(labelsPassed, mark.number());
      }
      if (recordsDone && labelsDone) {
        all.remove();
      }
    }
  }
}
