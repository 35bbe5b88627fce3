package io.holdfast.schemas.lag;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Whether offsets of a partition hold records, or only what transactions left. Thread-safe. */
public final class ReadableRecords {
  private final Map<String, String> kafka;

  /** Asks nothing yet. */
  public ReadableRecords(Map<String, String> kafka) {
    this.kafka = Map.copyOf(kafka);
  }

  /**
   * Whether a consumer of committed records finds one from an offset on, before an end that no open
   * transaction reaches into. Of a broker that does not answer within seconds it is assumed.
   *
   * @throws org.apache.kafka.common.KafkaException if the partition may not be read
   */
  public boolean anyBetween(TopicPartition partition, long from, long end) {
    Unread offsets = Unread.unseen(partition, from, end);
    try (UnreadCounter counter = new UnreadCounter(kafka)) {
      return counter.count(List.of(offsets)).getOrDefault(partition, offsets).rows() > 0;
    }
  }
}
