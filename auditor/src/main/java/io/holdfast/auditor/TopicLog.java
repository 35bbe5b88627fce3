package io.holdfast.auditor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is committed on a topic, from its beginning or a time to where it ended when asked.
 */
final class TopicLog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  // A fetch ahead of a partition's end waits at the broker, and the next partition behind it.
  private static final int WAIT_MILLIS = 20;

  private final KafkaConsumer<byte[], byte[]> consumer;

  TopicLog(Map<String, String> kafka) {
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, WAIT_MILLIS);
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The partitions of a topic, by number; none if there is no such topic. */
  List<TopicPartition> partitions(String topic) {
    List<PartitionInfo> found = consumer.listTopics().getOrDefault(topic, List.of());
    return found.stream()
        .map(part -> new TopicPartition(topic, part.partition()))
        .sorted((a, b) -> Integer.compare(a.partition(), b.partition()))
        .toList();
  }

  /** The first offset that there is, or the first of that time or later. */
  Map<TopicPartition, Long> begins(Collection<TopicPartition> partitions, @Nullable Long time) {
    Map<TopicPartition, Long> begins = new HashMap<>(consumer.beginningOffsets(partitions));
    if (time != null) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, time));
      for (var found : consumer.offsetsForTimes(times).entrySet()) {
        OffsetAndTimestamp at = found.getValue();
        begins.put(
            found.getKey(), at == null ? ends.get(found.getKey()) : Long.valueOf(at.offset()));
      }
    }
    return begins;
  }

  /** The offset after the last that is committed. */
  Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    return consumer.endOffsets(partitions);
  }

  /** Hands over what is between those offsets, partition by partition in the order of offsets. */
  void read(
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends,
      Consumer<ConsumerRecord<byte[], byte[]>> taker) {
    List<TopicPartition> partitions = new ArrayList<>(begins.keySet());
    partitions.sort((a, b) -> Integer.compare(a.partition(), b.partition()));
    for (TopicPartition partition : partitions) {
      long begin = begins.getOrDefault(partition, 0L);
      long end = ends.getOrDefault(partition, 0L);
      if (begin >= end) {
        continue;
      }
      consumer.assign(List.of(partition));
      consumer.seek(partition, begin);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          if (message.offset() < end) {
            taker.accept(message);
          }
        }
      }
    }
  }

  /** All of a topic. */
  void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> taker) {
    List<TopicPartition> partitions = partitions(topic);
    read(begins(partitions, null), ends(partitions), taker);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
