package io.holdfast.cli.stream;

import io.holdfast.schemas.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads committed records of topics without a group. Owned by one thread; not thread-safe. */
public final class TopicTail implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;

  private TopicTail(Map<String, String> kafka, List<String> topics) {
    consumer = PartitionLog.consumer(kafka);
    consumer.assign(
        topics.stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
            .toList());
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
