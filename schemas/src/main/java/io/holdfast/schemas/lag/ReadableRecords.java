package io.holdfast.schemas.lag;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Whether offsets of a partition hold records, or only what transactions left. Thread-safe. */
public final class ReadableRecords {
  private final Map<String, String> kafka;

  /** Asks nothing yet. */
  public ReadableRecords(Map<String, String> kafka) {
    this.kafka = Map.copyOf(kafka);
  }

  /**
   * Whether a consumer of committed records finds one from an offset on, before an end that no open
   * transaction reaches into.
   *
   * @throws TimeoutException if the broker does not answer within seconds: either may be so
   * @throws org.apache.kafka.common.KafkaException if the partition may not be read
   */
  public boolean anyBetween(TopicPartition partition, long from, long end) {
    Unread offsets = Unread.unseen(partition, from, end);
    try (UnreadCounter counter = new UnreadCounter(kafka)) {
      Unread found = counter.count(List.of(offsets)).getOrDefault(partition, offsets);
      if (from < end && found.equals(offsets)) { // what was read has a time, or no rows
        throw new TimeoutException(partition + " could not be read in time");
      }
      return found.rows() > 0;
    }
  }
}
