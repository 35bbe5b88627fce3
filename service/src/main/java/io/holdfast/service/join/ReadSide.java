package io.holdfast.service.join;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A topic, and how far the consumer group that takes what is in it has come. Not thread-safe, but
 * for stretches without a record, which any thread may tell of.
 */
final class ReadSide {
  private final String topic;
  private final String group;
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final Map<TopicPartition, Long> committed = new HashMap<>();
  private final Map<TopicPartition, Span> empty = new ConcurrentHashMap<>();

  /** Offsets from one to before another. */
  record Span(long from, long to) {
    private Span then(Span next) {
      return next.from() == to ? new Span(from, next.to()) : next;
    }
  }

  ReadSide(String topic, String group) {
    this.topic = topic;
    this.group = group;
  }

  String topic() {
    return topic;
  }

  String group() {
    return group;
  }

  List<TopicPartition> partitions() {
    return partitions;
  }

  void describe(@Nullable TopicDescription description) {
    if (description != null && description.partitions().size() != partitions.size()) {
      partitions.clear();
      description
          .partitions()
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
  }

  /** Whether a position is known of each partition. */
  boolean begun() {
    return committed.size() >= partitions.size();
  }

  /** A partition that nothing is committed of is read from its beginning, wherever that is. */
  void begin(Map<TopicPartition, Long> starts) {
    partitions.forEach(one -> committed.putIfAbsent(one, starts.getOrDefault(one, 0L)));
  }

  void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          if (offset != null && partition.topic().equals(topic)) {
            committed.put(partition, offset.offset());
          }
        });
  }

  /** Offsets that hold no record: who has come to them has passed them. */
  void skip(TopicPartition partition, Span span) {
    empty.merge(partition, span, Span::then);
  }

  boolean passed(Map<TopicPartition, Long> ends) {
    return partitions.stream().allMatch(partition -> left(partition, ends) == 0);
  }

  long left(TopicPartition partition, Map<TopicPartition, Long> ends) {
    long end = ends.getOrDefault(partition, 0L); // not there yet: nothing is left
    return Math.max(0, end - position(partition));
  }

  long position(TopicPartition partition) {
    long position = committed.getOrDefault(partition, 0L);
    Span span = empty.get(partition);
    return span != null && span.from() <= position ? Math.max(position, span.to()) : position;
  }
}
