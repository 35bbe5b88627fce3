package io.holdfast.cli.stream;

import io.holdfast.cli.data.DataException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** The offsets that committed records have in a topic of one partition. Stateless. */
public final class TopicOffsets {
  private TopicOffsets() {}

  /**
   * The offset of each record, by its number from 0; records that are not there yet have the
   * offsets behind the last.
   */
  public static LongUnaryOperator read(Map<String, String> kafka, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(kafka)) {
      int partitions = consumer.partitionsFor(topic).size();
      if (partitions != 1) {
        throw new DataException(
            "%s has %d partitions, and only in one is the order of a file's rows",
            topic, partitions);
      }
    }
    long[] offsets = new long[1024];
    int count = 0;
    try (PartitionLog log = new PartitionLog(kafka, topic, 0)) {
      if (log.begin() > 0) {
        throw new DataException(
            "the first records of %s are gone: it begins at offset %d", topic, log.begin());
      }
      for (ConsumerRecord<byte[], byte[]> record = log.next();
          record != null;
          record = log.next()) {
        if (count == offsets.length) {
          offsets = Arrays.copyOf(offsets, 2 * count);
        }
        offsets[count++] = record.offset();
      }
    }
    long[] read = Arrays.copyOf(offsets, count);
    long next = count == 0 ? 0 : read[count - 1] + 1;
    return number -> number < read.length ? read[(int) number] : next + number - read.length;
  }
}
