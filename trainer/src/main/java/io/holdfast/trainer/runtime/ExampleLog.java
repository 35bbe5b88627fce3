package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.window.PartitionMerge;
import io.holdfast.trainer.window.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One model's example topic, read as one sequence. Owned by the training thread; not thread-safe,
 * and the consumer is not its own to close. Every method may throw Kafka's exceptions, also {@link
 * org.apache.kafka.common.errors.WakeupException} after the consumer was woken up.
 */
final class ExampleLog {
  /*
   * Partitions are assigned by hand: the group holds offsets and has no members. What keeps two
   * trainers of a model apart is the producer's transactional id alone.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ExampleLog.class);
  private static final Duration POLL = Duration.ofMillis(500);

  /** A partition this many records ahead of the others is not fetched from until they catch up. */
  private static final int MAX_WAITING = 4_000;

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final PartitionMerge<ConsumerRecord<byte[], byte[]>> merge =
      new PartitionMerge<>(ExampleReader::position);

  ExampleLog(Consumer<byte[], byte[]> consumer, String topic) {
    this.consumer = consumer;
    this.topic = topic;
  }

  /** What the consumer's group has committed, for partitions where it has. */
  Map<Integer, OffsetAndMetadata> committed() {
    Map<Integer, OffsetAndMetadata> committed = new HashMap<>();
    consumer
        .committed(Set.copyOf(partitions()))
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                committed.put(partition.partition(), offset);
              }
            });
    return committed;
  }

  /**
   * Reads offsets again, in offset order within each partition. What the log no longer holds is
   * left out with a warning: the next version is not what it would have been with it.
   */
  List<ConsumerRecord<byte[], byte[]>> readAgain(SortedMap<Integer, Window.Cut> cuts) {
    Map<TopicPartition, Window.Cut> left = new HashMap<>();
    cuts.forEach((partition, cut) -> left.put(new TopicPartition(topic, partition), cut));
    consumer.unsubscribe(); // also ends the pauses of an earlier batch
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(left.keySet());
    consumer.assign(left.keySet());
    left.forEach((partition, cut) -> seek(partition, cut.from(), begins));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    while (!left.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        Window.Cut cut = cuts.get(record.partition());
        if (cut != null && record.offset() < cut.to()) {
          records.add(record);
        }
      }
      left.entrySet().removeIf(e -> consumer.position(e.getKey()) >= e.getValue().to());
      consumer.pause(consumer.assignment().stream().filter(p -> !left.containsKey(p)).toList());
    }
    return records;
  }

  /** Takes up the sequence after {@code progress}. */
  void begin(Progress progress) {
    TreeSet<Integer> known = new TreeSet<>(progress.partitions().keySet());
    List<TopicPartition> partitions = partitions();
    // Asked for while nothing is assigned: the client takes an answer for an assigned partition as
    // its end, and would say that there is no lag.
    consumer.unsubscribe();
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    consumer.assign(partitions);
    for (TopicPartition partition : partitions) {
      Progress.Reached reached = progress.partitions().get(partition.partition());
      seek(partition, reached == null ? 0 : reached.position(), begins);
      merge.open(partition.partition());
      known.remove(partition.partition());
    }
    if (!known.isEmpty()) {
      throw new HaltException(
          Sentence.of(
              "Topic %s has no partition %s, which examples were learned from before: topics must"
                  + " not be made anew with fewer partitions.",
              topic, known.first()));
    }
  }

  /** Takes in partitions that were added to the topic. */
  void adoptNewPartitions() {
    List<TopicPartition> partitions = partitions();
    if (partitions.size() > consumer.assignment().size()) {
      List<TopicPartition> added =
          partitions.stream().filter(p -> !consumer.assignment().contains(p)).toList();
      consumer.assign(partitions);
      for (TopicPartition partition : added) {
        consumer.seek(partition, 0);
        merge.open(partition.partition());
      }
      LOG.info("Reading {} from its beginning too", added);
    }
  }

  /** Waits a little for more of the log. */
  void poll() {
    consumer.poll(POLL).forEach(merge::add);
    List<TopicPartition> ahead = new ArrayList<>();
    List<TopicPartition> behind = new ArrayList<>();
    for (TopicPartition partition : consumer.assignment()) {
      merge.atEnd(partition.partition(), consumer.currentLag(partition).orElse(-1) == 0);
      (merge.waiting(partition.partition()) > MAX_WAITING ? ahead : behind).add(partition);
    }
    consumer.pause(ahead);
    consumer.resume(behind);
  }

  /** The next record of the sequence; null if more of the log must be read first. */
  @Nullable ConsumerRecord<byte[], byte[]> next() {
    return merge.poll();
  }

  private void seek(TopicPartition partition, long offset, Map<TopicPartition, Long> begins) {
    long begin = begins.getOrDefault(partition, 0L);
    if (begin > offset && offset > 0) {
      LOG.warn(
          "{} begins at offset {}: its examples from {} on are gone and cannot be learned from",
          partition,
          begin,
          offset);
    }
    consumer.seek(partition, Math.max(begin, offset));
  }

  private List<TopicPartition> partitions() {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }
}
