package io.holdfast.schemas.log;

import io.holdfast.schemas.topic.DeadLetterMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A topic of dead letters as it is now. Immutable; may be read any number of times. */
public record Letters(Map<String, String> kafka, String topic) {

  /** Those of a topic that is there; else a TopicException. */
  public static Letters of(Map<String, String> kafka, String topic) {
    Broker.require(kafka, List.of(topic));
    return new Letters(kafka, topic);
  }

  /** Those that were not sent in again, by partition and offset. */
  public void forEachLeft(Consumer<Letter> letters) {
    int partitions = Broker.partitions(kafka, topic);
    for (int partition = 0; partition < partitions; partition++) {
      Set<String> redriven = new HashSet<>();
      read(
          partition,
          record -> {
            String offset = Letter.text(record, DeadLetterMessage.REDRIVEN);
            if (offset != null) {
              redriven.add(offset);
            }
          });
      read(
          partition,
          record -> {
            if (Letter.text(record, DeadLetterMessage.REDRIVEN) == null
                && !redriven.contains(Long.toString(record.offset()))) {
              letters.accept(Letter.of(record));
            }
          });
    }
  }

  private void read(int partition, Consumer<ConsumerRecord<byte[], byte[]>> records) {
    try (PartitionLog log = new PartitionLog(kafka, topic, partition)) {
      for (var record = log.next(); record != null; record = log.next()) {
        records.accept(record);
      }
    }
  }
}
