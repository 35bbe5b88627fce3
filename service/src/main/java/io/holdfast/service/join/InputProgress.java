package io.holdfast.service.join;

import org.jspecify.annotations.Nullable;

/**
 * How far the records and labels of one model have come on their way to the join's topic. A mark is
 * a moment: it is passed by a side when all that was in that side's topic then has been taken into
 * the join's, and committed. Thread-safe; nothing here waits.
 */
public interface InputProgress {

  /** Somebody will ask; to be closed as often. */
  void open();

  /** Looks how far they are, if it is time to. To be called often. */
  void look(long now);

  /** A mark of a moment after this call. */
  long mark();

  /** Whether the records have passed a mark: each has its score, or is a dead letter. */
  boolean recordsPassed(long mark);

  /** Whether the labels have passed a mark. */
  boolean labelsPassed(long mark);

  /** Where it is behind, for people; null if nothing is known to be. */
  @Nullable String behind();

  void close();
}
