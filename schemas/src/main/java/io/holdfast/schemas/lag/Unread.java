package io.holdfast.schemas.lag;

import org.apache.kafka.common.TopicPartition;

/**
 * What is there of a partition that a group has not read. Immutable.
 *
 * @param from the next offset that the group reads
 * @param end the offset behind the last record that can be read
 * @param rows records between them
 * @param first the offset of the first of these; {@code end} if there is none
 * @param timestampMillis its time
 * @param appended whether that is when it was appended
 */
record Unread(
    TopicPartition partition,
    long from,
    long end,
    long rows,
    long first,
    long timestampMillis,
    boolean appended) {

  /** Nothing but offsets is known: each may be a record. */
  static Unread unseen(TopicPartition partition, long from, long end) {
    return new Unread(partition, from, end, Math.max(0, end - from), from, Long.MAX_VALUE, false);
  }

  /** How many of the records were there when the partition ended at an offset. */
  long rowsBefore(long earlierEnd) {
    if (rows == 0 || earlierEnd <= first) {
      return 0;
    }
    if (earlierEnd >= end) {
      return rows;
    }
    double share = (earlierEnd - first) / (double) (end - first);
    return Math.max(1, Math.round(rows * share));
  }
}
