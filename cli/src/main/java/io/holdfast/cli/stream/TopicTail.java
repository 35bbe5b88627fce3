package io.holdfast.cli.stream;

import io.holdfast.schemas.settings.KafkaKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads committed records of topics without a group. Owned by one thread; not thread-safe. */
public final class TopicTail implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;

  private TopicTail(Map<String, String> kafka, List<String> topics) {
    consumer = consumer(kafka);
    consumer.assign(
        topics.stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
            .toList());
  }

  static KafkaConsumer<byte[], byte[]> consumer(Map<String, String> kafka) {
    Map<String, Object> settings = new HashMap<>(KafkaKeys.consumer(kafka));
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  public static TopicTail fromBeginning(Map<String, String> kafka, String... topics) {
    TopicTail tail = new TopicTail(kafka, List.of(topics));
    tail.consumer.seekToBeginning(tail.consumer.assignment());
    return tail;
  }

  public static TopicTail fromEnd(Map<String, String> kafka, String... topics) {
    TopicTail tail = new TopicTail(kafka, List.of(topics));
    tail.consumer.seekToEnd(tail.consumer.assignment());
    // Seeking is lazy: asking for the position makes "now" this moment.
    tail.consumer.assignment().forEach(tail.consumer::position);
    return tail;
  }

  public Iterable<ConsumerRecord<byte[], byte[]>> poll(Duration limit) {
    return consumer.poll(limit);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
