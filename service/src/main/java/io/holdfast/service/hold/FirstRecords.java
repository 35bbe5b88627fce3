package io.holdfast.service.hold;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.topic.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Looks at the last records of a topic until their schema is known: nothing is scored before there
 * is a version, and there is none before a schema is known of what it is to be trained on. Not at
 * the oldest, which may be unusable or of a schema that is long past. Started and closed by one
 * thread.
 */
public final class FirstRecords implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int LAST = 20; // of each partition
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private final Map<String, String> kafka;
  private final String topic;
  private final RecordFraming framing;
  private final BooleanSupplier known;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Does not start yet.
   *
   * @param known whether a schema of the topic is
   */
  public FirstRecords(
      Map<String, String> kafka, String topic, RecordFraming framing, BooleanSupplier known) {
    this.kafka = kafka;
    this.topic = topic;
    this.framing = framing;
    this.known = known;
    this.thread = Thread.ofVirtual().name("first-records-" + topic).unstarted(this::look);
  }

  public void start() {
    thread.start();
  }

  private void look() {
    while (!known.getAsBoolean() && await()) {
      try (Consumer<byte[], byte[]> consumer = consumer()) {
        while (!known.getAsBoolean() && look(consumer)) {
          if (!await()) {
            return;
          }
        }
      } catch (KafkaException e) {
        // said by all else that needs the broker, and tried again
      }
    }
  }

  /** Whether there are records whose schema is being asked for; asking again is harmless. */
  boolean look(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    if (partitions.isEmpty()) {
      return false; // there is no such topic yet
    }
    consumer.assign(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    begins.forEach(
        (one, begin) -> consumer.seek(one, Math.max(begin, ends.getOrDefault(one, begin) - LAST)));
    boolean waits = false;
    ConsumerRecords<byte[], byte[]> polled;
    do {
      polled = consumer.poll(PAUSE);
      for (ConsumerRecord<byte[], byte[]> record : polled) {
        waits |= !framing.ready(record.value(), record.headers());
      }
    } while (!polled.isEmpty() && behind(consumer, ends));
    return waits;
  }

  private static boolean behind(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue());
  }

  private Consumer<byte[], byte[]> consumer() {
    Map<String, Object> config = ClientSettings.consumer(kafka);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Waits a little; false if it is to end. */
  private boolean await() {
    try {
      return !closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      if (thread.getState() != Thread.State.NEW) {
        boolean _ = thread.join(CLOSE_LIMIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
