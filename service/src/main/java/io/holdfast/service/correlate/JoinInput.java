package io.holdfast.service.correlate;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** A message of the join's topic, all of one id in one partition. Immutable; arrays not copied. */
public sealed interface JoinInput {

  /**
   * A record or label as it came.
   *
   * @param eventMillis the time that it counts for, which is never far ahead of the clock
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Message(
      int partition,
      long offset,
      long timestampMillis,
      long eventMillis,
      byte @Nullable [] key,
      byte[] value,
      Headers headers) {}

  /**
   * A record and the score that was served.
   *
   * @param uncertainty Avro's encoding of the score's field; null if it does not say
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Scored(
      Message record, long version, byte[] hash, double[] rawScores, byte @Nullable [] uncertainty)
      implements JoinInput {

    /** Where the score does not say how sure it is. */
    public Scored(Message record, long version, byte[] hash, double[] rawScores) {
      this(record, version, hash, rawScores, null);
    }
  }

  /** A record that has become a dead letter: it has no score and never will. */
  record Unscored(int partition, long offset, long eventMillis) implements JoinInput {}

  /** A label that can be read. */
  record Labelled(Message label) implements JoinInput {}

  /**
   * Says that whatever was in the records' topic when the join had read its own up to {@code upTo}
   * is before this message, with its outcome.
   *
   * @param begunAt when that was, by the clock
   * @param labelsToo whether it holds for the labels' topic as well
   */
  record Barrier(long upTo, long begunAt, boolean labelsToo) implements JoinInput {}
}
