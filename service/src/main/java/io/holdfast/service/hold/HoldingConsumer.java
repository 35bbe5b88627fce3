package io.holdfast.service.hold;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.service.resume.ResumePoints;
import io.holdfast.service.resume.ResumingConsumer;
import io.holdfast.service.resume.SourceTopics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A stream thread's consumer, which gives no record of a partition from the first on whose schema
 * is not known yet; all other partitions go on. Owned by the thread that polls.
 */
final class HoldingConsumer extends ResumingConsumer {
  /*
   * A partition that is held is paused at that record, so nothing piles up, and neither a
   * transaction nor a poll is kept waiting. Kafka Streams may resume it for reasons of its own: then
   * its records come again and are held again. What it commits are the offsets that it was given,
   * which are those before the record.
   */
  private static final Duration LOOK = Duration.ofMillis(50);

  private final String topic;
  private final RecordFraming framing;
  private final HeldPartitions partitions;
  private final Map<TopicPartition, ConsumerRecord<byte[], byte[]>> held = new HashMap<>();

  HoldingConsumer(
      Map<String, Object> settings,
      String topic,
      RecordFraming framing,
      HeldPartitions partitions,
      ResumePoints points,
      SourceTopics sources) {
    super(settings, points, sources);
    this.topic = topic;
    this.framing = framing;
    this.partitions = partitions;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    release();
    boolean soon = !held.isEmpty() && timeout.compareTo(LOOK) > 0;
    return hold(super.poll(soon ? LOOK : timeout));
  }

  private void release() {
    if (held.isEmpty()) {
      return;
    }
    Set<TopicPartition> assigned = assignment();
    for (Map.Entry<TopicPartition, ConsumerRecord<byte[], byte[]>> one :
        List.copyOf(held.entrySet())) {
      TopicPartition partition = one.getKey();
      ConsumerRecord<byte[], byte[]> next = one.getValue();
      boolean ours = assigned.contains(partition);
      if (ours && !framing.ready(next.value(), next.headers())) {
        partitions.hold(partition, next.offset(), framing.awaited(next.value(), next.headers()));
        continue;
      }
      held.remove(partition);
      partitions.release(partition);
      if (ours) {
        resume(Set.of(partition));
      }
    }
  }

  /** What can be given of what was polled; the rest is held. */
  ConsumerRecords<byte[], byte[]> hold(ConsumerRecords<byte[], byte[]> polled) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> given = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(polled.nextOffsets());
    boolean any = false;
    for (TopicPartition partition : polled.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
      int ready = partition.topic().equals(topic) ? ready(records) : records.size();
      if (ready > 0) {
        given.put(partition, records.subList(0, ready));
      }
      if (ready < records.size()) {
        ConsumerRecord<byte[], byte[]> first = records.get(ready);
        next.put(partition, new OffsetAndMetadata(first.offset(), first.leaderEpoch(), ""));
        hold(partition, first);
        any = true;
      }
    }
    return any ? new ConsumerRecords<>(given, next) : polled;
  }

  private void hold(TopicPartition partition, ConsumerRecord<byte[], byte[]> first) {
    seek(partition, first.offset());
    pause(Set.of(partition));
    held.put(partition, first);
    partitions.hold(partition, first.offset(), framing.awaited(first.value(), first.headers()));
  }

  /** How many are before the first that is not ready; all that are not are asked for at once. */
  private int ready(List<ConsumerRecord<byte[], byte[]>> records) {
    int ready = records.size();
    for (int i = records.size() - 1; i >= 0; i--) {
      ConsumerRecord<byte[], byte[]> record = records.get(i);
      if (!framing.ready(record.value(), record.headers())) {
        ready = i;
      }
    }
    return ready;
  }

  @Override
  public void close() {
    forget();
    super.close();
  }

  @Override
  public void close(CloseOptions options) {
    forget();
    super.close(options);
  }

  /** As of {@link #close(CloseOptions)}, which is the one that Kafka Streams calls. */
  @Override
  @Deprecated
  @SuppressWarnings("removal")
  public void close(Duration timeout) {
    forget();
    super.close(timeout);
  }

  private void forget() {
    held.keySet().forEach(partitions::release);
    held.clear();
  }
}
