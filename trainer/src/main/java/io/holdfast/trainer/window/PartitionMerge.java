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
   * Within a partition offset order is kept, even where timestamps go backwards: a head waits for
   * nothing but its turn among the heads. The next element depends on the heads alone, so merging
   * the tail of a merged sequence again gives that tail, and a prefix takes a contiguous offset
   * range of every partition. Windows and memory rest on both.
   *
   * A partition without a head holds the others back: what comes next in it might be older. Only
   * if it is known to be at its end may elements pass it, and only those that have been in the log
   * for a while (`settled`), so that something older would have come by now. Cost: O(partitions) an
   * element.
   */
  private final Function<T, Position> positionOf;
  private final TreeMap<Integer, Lane<T>> lanes = new TreeMap<>();

  private static final class Lane<T> {
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private boolean atEnd;
    private long settled = Long.MAX_VALUE;
  }

  /** A merge of elements that stand at {@code positionOf} each. */
  public PartitionMerge(Function<T, Position> positionOf) {
    this.positionOf = positionOf;
  }

  /** Names a partition that takes part, before any of its elements are added. */
  public void open(int partition) {
    lane(partition);
  }

  /** Adds the next element of its partition. */
  public void add(T element) {
    lane(positionOf.apply(element).partition()).waiting.add(element);
  }

  /** Says whether all that the partition's log holds at present has been added. */
  public void atEnd(int partition, boolean atEnd) {
    lane(partition).atEnd = atEnd;
  }

  /**
   * Says which elements of the partition may pass partitions at their end: those below an offset;
   * all, unless said otherwise.
   */
  public void settled(int partition, long below) {
    lane(partition).settled = below;
  }

  /** How many elements of the partition wait for their turn. */
  public int waiting(int partition) {
    Lane<T> lane = lanes.get(partition);
    return lane == null ? 0 : lane.waiting.size();
  }

  /** Removes and gives the next element; null if that is not known yet, or there is none. */
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
