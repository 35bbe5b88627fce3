package io.holdfast.schemas.lag;

import io.holdfast.schemas.EpochUnit;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.ExampleTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Counts the records between offsets by reading the first of them. Owned by one thread. */
final class UnreadCounter implements AutoCloseable {
  /** So many of a partition are read at most; the rest is estimated. */
  private static final int SAMPLE = 1_000;

  /** Among so many offsets the newest record is looked for. */
  private static final int LAST = 100;

  private static final int FETCH_BYTES = 256 << 10;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final KafkaConsumer<byte[], byte[]> consumer;

  /** What was found of a partition. */
  private static final class Count {
    private long rows;
    private long first;
    private long timestamp = Long.MAX_VALUE;
    private boolean appended;
  }

  UnreadCounter(Map<String, String> kafka) {
    Map<String, Object> config = ClientSettings.consumer(kafka);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, SAMPLE);
    consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** What is there between the offsets of each; KafkaException if it may not be read. */
  Map<TopicPartition, Unread> count(Collection<Unread> offsets) {
    Map<TopicPartition, Unread> counted = new HashMap<>();
    Map<TopicPartition, Unread> left = open(offsets, Unread::from);
    Map<TopicPartition, Count> counts = new HashMap<>();
    read(
        left,
        record -> add(counts.computeIfAbsent(partition(record), each -> new Count()), record),
        (partition, part, position) -> {
          Count count = counts.computeIfAbsent(partition, each -> new Count());
          boolean enough = position >= part.end() || count.rows >= SAMPLE;
          if (enough) {
            counted.put(partition, unread(part, count, position));
          }
          return enough;
        });
    counted.putAll(left); // of a broker that is slow: offsets are all that is known
    return counted;
  }

  /** The times of newest records, as far as the last offsets have one; throws likewise. */
  Map<TopicPartition, Long> newestTimes(Collection<Unread> offsets) {
    Map<TopicPartition, Long> times = new HashMap<>();
    if (!offsets.isEmpty()) {
      read(
          open(offsets, part -> Math.max(part.from(), part.end() - LAST)),
          record ->
              times.merge(
                  partition(record), EpochUnit.millisOfMessage(record.timestamp()), Math::max),
          (partition, part, position) -> position >= part.end());
    }
    return times;
  }

  private Map<TopicPartition, Unread> open(
      Collection<Unread> offsets, ToLongFunction<Unread> begin) {
    Map<TopicPartition, Unread> left = new HashMap<>();
    offsets.forEach(part -> left.put(part.partition(), part));
    consumer.assign(left.keySet());
    left.forEach((partition, part) -> consumer.seek(partition, begin.applyAsLong(part)));
    return left;
  }

  /** Whether enough of a partition has been read. */
  @FunctionalInterface
  private interface Enough {
    boolean at(TopicPartition partition, Unread part, long position);
  }

  /** Reads until there is enough of each, which then leaves {@code left}, or it takes too long. */
  private void read(
      Map<TopicPartition, Unread> left,
      Consumer<ConsumerRecord<byte[], byte[]>> action,
      Enough enough) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        Unread part = left.get(partition(record));
        if (part != null && record.offset() < part.end()) {
          action.accept(record);
        }
      }
      List<TopicPartition> done = new ArrayList<>();
      left.forEach(
          (partition, part) -> {
            if (enough.at(partition, part, consumer.position(partition))) {
              done.add(partition);
            }
          });
      left.keySet().removeAll(done);
      consumer.pause(done);
    }
    consumer.unsubscribe();
  }

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  private static void add(Count count, ConsumerRecord<byte[], byte[]> record) {
    if (count.rows++ == 0) {
      count.first = record.offset();
      count.timestamp = EpochUnit.millisOfMessage(ExampleTime.of(record));
      count.appended =
          record.timestampType() == TimestampType.LOG_APPEND_TIME
              || record.headers().lastHeader(ExampleTime.NAME) != null;
    }
  }

  private static Unread unread(Unread offsets, Count count, long position) {
    long rows = count.rows;
    if (position < offsets.end()) {
      double share = count.rows / (double) (position - offsets.from());
      rows += Math.round((offsets.end() - position) * share);
    }
    return new Unread(
        offsets.partition(),
        offsets.from(),
        offsets.end(),
        rows,
        rows == 0 ? offsets.end() : count.first,
        count.timestamp,
        count.appended);
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(LIMIT));
  }
}
