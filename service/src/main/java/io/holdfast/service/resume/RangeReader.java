package io.holdfast.service.resume;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.KafkaKeys;
import io.holdfast.schemas.topic.TopicException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads stretches of partitions, without a group. Owned by one thread. */
final class RangeReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

  private final KafkaConsumer<byte[], byte[]> consumer;

  /** {@code isolation} as in a consumer's settings. */
  RangeReader(Map<String, String> kafka, String isolation) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.consumer(kafka));
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50); // nothing new to come
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  int partitions(String topic) {
    return consumer.partitionsFor(topic).size();
  }

  long begin(TopicPartition partition) {
    return consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  /** Behind the last message that it may read. */
  long end(TopicPartition partition) {
    return consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
  }

  /** Hands over what is there from an offset on, before one that it may read to. */
  void read(
      TopicPartition partition,
      long from,
      long to,
      Consumer<ConsumerRecord<byte[], byte[]>> messages) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, from);
    long reached = from;
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (reached < to) {
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        if (message.offset() < to) {
          messages.accept(message);
        }
      }
      long position = consumer.position(partition);
      if (position > reached) {
        reached = position;
        deadline = System.nanoTime() + PATIENCE_NANOS;
      } else if (System.nanoTime() - deadline > 0) {
        throw new TopicException(
            Sentence.of("%s could not be read from offset %d to %d", partition, reached, to));
      }
    }
  }

  /** The message at an offset before {@code end}; null if none is there. */
  @Nullable ConsumerRecord<byte[], byte[]> at(TopicPartition partition, long offset, long end) {
    Found found = new Found();
    if (offset < end) {
      read(partition, offset, offset + 1, found);
    }
    return found.first;
  }

  private static final class Found implements Consumer<ConsumerRecord<byte[], byte[]>> {
    private @Nullable ConsumerRecord<byte[], byte[]> first;

    @Override
    public void accept(ConsumerRecord<byte[], byte[]> message) {
      first = message;
    }
  }

  /** Waits a moment. */
  void pause(TopicPartition partition) {
    consumer.assign(List.of(partition));
    consumer.pause(List.of(partition));
    var _ = consumer.poll(POLL);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
