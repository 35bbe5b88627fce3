package io.holdfast.cli.stream;

import io.holdfast.cli.input.TopicRange;
import io.holdfast.schemas.log.PartitionLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The committed records of a range of a topic, as it was when it was opened: each partition in its
 * order, and of the partitions' next records the one of the earliest time first. Owned by one
 * thread.
 */
final class TopicReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Map<TopicPartition, Long> from;
  private final Map<TopicPartition, Long> to;
  private final Map<Integer, Queue<ConsumerRecord<byte[], byte[]>>> next = new TreeMap<>();

  TopicReader(Map<String, String> kafka, TopicRange range) {
    consumer = PartitionLog.consumer(kafka);
    partitions =
        consumer.partitionsFor(range.topic()).stream()
            .map(partition -> new TopicPartition(range.topic(), partition.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> last = consumer.endOffsets(partitions);
    from = offsets(range.from(), first, last);
    to = offsets(range.to(), first, last);
    rewind();
  }

  private Map<TopicPartition, Long> offsets(
      TopicRange.Bound bound, Map<TopicPartition, Long> first, Map<TopicPartition, Long> last) {
    Map<TopicPartition, Long> offsets =
        new HashMap<>(bound == TopicRange.End.EARLIEST ? first : last);
    switch (bound) {
      case TopicRange.End _ -> {}
      case TopicRange.Offset(long offset) ->
          offsets.replaceAll(
              (partition, end) ->
                  Math.min(end, Math.max(offset, first.getOrDefault(partition, 0L))));
      case TopicRange.Newest(long records) ->
          offsets.replaceAll(
              (partition, end) -> Math.max(end - records, first.getOrDefault(partition, 0L)));
      case TopicRange.Time(Instant time) -> {
        Map<TopicPartition, Long> times = new HashMap<>(last);
        times.replaceAll((partition, end) -> time.toEpochMilli());
        consumer
            .offsetsForTimes(times)
            .forEach(
                (partition, found) -> {
                  if (found != null) {
                    offsets.merge(partition, found.offset(), Math::min);
                  }
                });
      }
    }
    return offsets;
  }

  /** Begins anew, at the same bounds. */
  void rewind() {
    next.clear();
    for (TopicPartition partition : partitions) {
      if (begin(partition) < end(partition)) {
        consumer.seek(partition, begin(partition));
        next.put(partition.partition(), new ArrayDeque<>());
      }
    }
  }

  private long begin(TopicPartition partition) {
    return from.getOrDefault(partition, 0L);
  }

  private long end(TopicPartition partition) {
    return to.getOrDefault(partition, 0L);
  }

  /** So many offsets are in the range; not all need to be records. */
  long offsets() {
    return partitions.stream()
        .mapToLong(partition -> Math.max(0, end(partition) - begin(partition)))
        .sum();
  }

  /** The next record; null behind the last. */
  @Nullable ConsumerRecord<byte[], byte[]> next() {
    fill();
    Queue<ConsumerRecord<byte[], byte[]>> earliest = null;
    long time = Long.MAX_VALUE;
    for (var queue : next.values()) {
      ConsumerRecord<byte[], byte[]> record = queue.element();
      if (earliest == null || record.timestamp() < time) {
        earliest = queue;
        time = record.timestamp();
      }
    }
    return earliest == null ? null : earliest.remove();
  }

  /** Fetches until each partition that is not at its end has a record here. */
  private void fill() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (next.values().stream().anyMatch(Queue::isEmpty)) {
      next.entrySet().removeIf(one -> one.getValue().isEmpty() && isAtEnd(one.getKey()));
      for (TopicPartition partition : partitions) {
        // One that is at its end, too: the broker would wait for more of it before it answers.
        var queue = next.get(partition.partition());
        List<TopicPartition> one = List.of(partition);
        if (queue != null && queue.isEmpty()) {
          consumer.resume(one);
        } else {
          consumer.pause(one);
        }
      }
      if (consumer.paused().size() == partitions.size()) {
        return;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        var queue = next.get(record.partition());
        if (queue != null && record.offset() < end(partition(record.partition()))) {
          queue.add(record);
          deadline = System.nanoTime() + PATIENCE_NANOS;
        }
      }
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException(
            "nothing of " + consumer.assignment() + " came for " + PATIENCE_NANOS / 1e9 + " s");
      }
    }
  }

  private boolean isAtEnd(int number) {
    TopicPartition partition = partition(number);
    return consumer.position(partition) >= end(partition);
  }

  private TopicPartition partition(int number) {
    return new TopicPartition(partitions.getFirst().topic(), number);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
