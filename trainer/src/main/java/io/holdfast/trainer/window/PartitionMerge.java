package io.holdfast.trainer.window;

import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Merges the partitions of a topic into one sequence: always the head of least timestamp, then of
 * least partition. Not thread-safe.
 */
public final class PartitionMerge<T> {
  /*
   * Within a partition offset order is kept, even where timestamps go backwards. The next element
   * depends on the heads alone, so merging the tail of a merged sequence again gives that tail, and a
   * prefix takes a contiguous offset range of every partition. Windows and memory rest on both.
   *
   * A partition without a head holds the others back: what comes next in it might be older. Elements
   * pass it only if it is at its end and they have `settled` in the log, so that something older would
   * have come by now. O(partitions) an element.
   */
  private final Function<T, Position> positionOf;
  private final TreeMap<Integer, Lane<T>> lanes = new TreeMap<>();

  private static final class Lane<T> {
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private boolean atEnd;
    private long settled = Long.MAX_VALUE;
  }

  public PartitionMerge(Function<T, Position> positionOf) {
    this.positionOf = positionOf;
  }

  /** Makes a partition take part, before any of its elements are added. */
  public void open(int partition) {
    lane(partition);
  }

  /** Adds the next element of its partition. */
  public void add(T element) {
    lane(positionOf.apply(element).partition()).waiting.add(element);
  }

  /** Sets whether all that the partition's log holds has been added. */
  public void atEnd(int partition, boolean atEnd) {
    lane(partition).atEnd = atEnd;
  }

  /** Sets the offset below which the partition's elements may pass empty ones; none by default. */
  public void settled(int partition, long below) {
    lane(partition).settled = below;
  }

  /** How many elements of the partition wait. */
  public int waiting(int partition) {
    Lane<T> lane = lanes.get(partition);
    return lane == null ? 0 : lane.waiting.size();
  }

  /** Removes the next element; null if it is not known yet, or there is none. */
  public @Nullable T poll() {
    Lane<T> next = null;
    long least = Long.MAX_VALUE;
    boolean passing = false;
    for (Lane<T> lane : lanes.values()) {
      T head = lane.waiting.peek();
      if (head == null) {
        if (!lane.atEnd) {
          return null;
        }
        passing = true;
      } else if (next == null || positionOf.apply(head).timestamp() < least) {
        next = lane;
        least = positionOf.apply(head).timestamp();
      }
    }
    if (next == null) {
      return null;
    }
    T head = next.waiting.element();
    return passing && positionOf.apply(head).offset() >= next.settled ? null : next.waiting.poll();
  }

  private Lane<T> lane(int partition) {
    return lanes.computeIfAbsent(partition, p -> new Lane<>());
  }
}
