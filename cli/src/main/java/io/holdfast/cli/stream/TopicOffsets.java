package io.holdfast.cli.stream;

import io.holdfast.cli.input.DataException;
import io.holdfast.schemas.log.PartitionLog;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** The offsets that committed records have in a topic of one partition. Stateless. */
public final class TopicOffsets {
  private TopicOffsets() {}

  /** The offset of each record by number from 0; records still to come follow the last. */
  public static LongUnaryOperator read(Map<String, String> kafka, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = PartitionLog.consumer(kafka)) {
      int partitions = consumer.partitionsFor(topic).size();
      if (partitions != 1) {
        throw new DataException(
            "%s has %d partitions, and only in one is the order of a file's rows",
            topic, partitions);
      }
    }
    LongStream.Builder offsets = LongStream.builder();
    try (PartitionLog log = new PartitionLog(kafka, topic, 0)) {
      if (log.begin() > 0) {
        throw new DataException(
            "the first records of %s are gone: it begins at offset %d", topic, log.begin());
      }
      for (var record = log.next(); record != null; record = log.next()) {
        offsets.add(record.offset());
      }
    }
    long[] read = offsets.build().toArray();
    long next = read.length == 0 ? 0 : read[read.length - 1] + 1;
    return number -> number < read.length ? read[(int) number] : next + number - read.length;
  }
}
