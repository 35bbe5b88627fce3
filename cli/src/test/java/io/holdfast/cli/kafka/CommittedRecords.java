package io.holdfast.cli.kafka;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The committed records of all partitions of a topic. */
public final class CommittedRecords {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private CommittedRecords() {}

  /** All of them, up to where the topic ends now, once there are so many. */
  public static List<ConsumerRecord<String, byte[]>> of(
      String bootstrapServers, String topic, int atLeast) {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    try (var consumer = consumer(bootstrapServers, topic)) {
      await("records of " + topic)
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                readToEnd(consumer, records);
                return records.size() >= atLeast;
              });
    }
    return records;
  }

  /** All of them, up to where the topic ends now. */
  public static List<ConsumerRecord<String, byte[]>> of(String bootstrapServers, String topic) {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    try (var consumer = consumer(bootstrapServers, topic)) {
      readToEnd(consumer, records);
    }
    return records;
  }

  private static void readToEnd(
      KafkaConsumer<String, byte[]> consumer, List<ConsumerRecord<String, byte[]>> into) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      consumer.poll(Duration.ofMillis(100)).forEach(into::add);
    }
  }

  /**
   * As soon as there are so many, and what a moment more brings: more may be on the way, or there
   * already.
   */
  public static List<ConsumerRecord<String, byte[]>> first(
      String bootstrapServers, String topic, int atLeast) {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    try (var consumer = consumer(bootstrapServers, topic)) {
      await("records of " + topic)
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= atLeast;
              });
      consumer.poll(Duration.ofMillis(500)).forEach(records::add);
    }
    return records;
  }

  private static KafkaConsumer<String, byte[]> consumer(String bootstrapServers, String topic) {
    var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                20),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    return consumer;
  }
}
