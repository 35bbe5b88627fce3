package io.holdfast.faults;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Counts what is committed as it comes: scores, dead letters, versions of each model. Reads in a
 * thread of its own; any thread may ask.
 */
public final class Watch implements AutoCloseable {
  private static final int ROUNDS_BETWEEN_LOOKS = 20;

  private final String servers;
  private final List<String> models;
  private final Map<String, Long> counts = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean ended;

  /** Begins at the beginning of the topics, which are there. */
  public Watch(String servers, List<String> models) {
    this.servers = servers;
    this.models = List.copyOf(models);
    thread = Thread.ofPlatform().name("watch").start(this::run);
  }

  private void run() {
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers", servers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      for (int round = 0; !ended; round++) {
        if (round % ROUNDS_BETWEEN_LOOKS == 0) {
          assign(consumer);
        }
        if (!consumer.assignment().isEmpty()) {
          consumer.poll(Duration.ofMillis(50)).forEach(this::take);
        }
      }
    }
  }

  /** Partitions may be added. */
  private void assign(KafkaConsumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions = new ArrayList<>();
    List<String> topics = new ArrayList<>(List.of("holdfast.models"));
    models.forEach(model -> topics.addAll(List.of(model + ".scores", model + ".dead-letters")));
    Map<String, List<PartitionInfo>> present = listed(consumer);
    for (String topic : topics) {
      present
          .getOrDefault(topic, List.of())
          .forEach(part -> partitions.add(new TopicPartition(topic, part.partition())));
    }
    List<TopicPartition> added = new ArrayList<>(partitions);
    added.removeAll(consumer.assignment());
    if (!added.isEmpty()) {
      partitions.addAll(consumer.assignment());
      consumer.assign(new HashSet<>(partitions));
      consumer.seekToBeginning(added);
    }
  }

  private static Map<String, List<PartitionInfo>> listed(KafkaConsumer<byte[], byte[]> consumer) {
    try {
      return consumer.listTopics(Duration.ofSeconds(1));
    } catch (KafkaException e) {
      return Map.of(); // the broker is down: later
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    if (!message.topic().equals("holdfast.models")) {
      counts.merge(message.topic(), 1L, Long::sum);
    } else if (message.key() != null && message.value() != null) {
      String[] key = new String(message.key(), StandardCharsets.UTF_8).split("/", -1);
      if (key[1].equals("version")) {
        counts.merge(key[0] + ".versions", 1L, Long::sum);
      }
    }
  }

  /** Scores and dead letters of all models together. */
  public long outcomes() {
    return models.stream()
        .mapToLong(model -> count(model + ".scores") + count(model + ".dead-letters"))
        .sum();
  }

  /** Versions of a model. */
  public long versions(String model) {
    return count(model + ".versions");
  }

  private long count(String what) {
    return counts.getOrDefault(what, 0L);
  }

  /** All that was counted. */
  public Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
