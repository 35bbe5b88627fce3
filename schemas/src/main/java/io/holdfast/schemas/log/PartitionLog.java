package io.holdfast.schemas.log;

import io.holdfast.schemas.settings.KafkaKeys;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** One partition's committed records as they were when it was opened. Owned by one thread. */
public final class PartitionLog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicPartition partition;
  private final long begin;
  private final long end;
  private final Deque<ConsumerRecord<byte[], byte[]>> read = new ArrayDeque<>();

  /** One partition. */
  public PartitionLog(Map<String, String> kafka, String topic, int number) {
    partition = new TopicPartition(topic, number);
    consumer = consumer(kafka);
    List<TopicPartition> alone = List.of(partition);
    consumer.assign(alone);
    consumer.seekToBeginning(alone);
    begin = consumer.position(partition);
    end = consumer.endOffsets(alone).getOrDefault(partition, 0L);
  }

  /** A consumer of committed records without a group. */
  public static KafkaConsumer<byte[], byte[]> consumer(Map<String, String> kafka) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.consumer(kafka));
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The first offset that was there. */
  public long begin() {
    return begin;
  }

  /** Goes on with the first record of that time or later. */
  public void seekToTime(long millis) {
    OffsetAndTimestamp found = consumer.offsetsForTimes(Map.of(partition, millis)).get(partition);
    seek(found == null ? end : found.offset());
  }

  private void seek(long offset) {
    read.clear();
    consumer.seek(partition, offset);
  }

  /** The next record; null behind the last. */
  public @Nullable ConsumerRecord<byte[], byte[]> next() {
    fetch();
    return read.poll();
  }

  /** The record at an offset; null if it is not there, or not any more. */
  public @Nullable ConsumerRecord<byte[], byte[]> at(long offset) {
    if (offset < begin || offset >= end) {
      return null;
    }
    long present = read.isEmpty() ? consumer.position(partition) : read.getFirst().offset();
    if (offset < present || offset > present + 10_000) {
      seek(offset);
    }
    while (true) {
      fetch();
      ConsumerRecord<byte[], byte[]> first = read.peek();
      if (first == null || first.offset() > offset) {
        return null;
      }
      if (first.offset() == offset) {
        return first;
      }
      read.remove();
    }
  }

  private void fetch() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (read.isEmpty() && consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < end) {
          read.add(record);
        }
      }
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException(
            partition + " could not be read from " + consumer.position(partition) + " to " + end);
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
