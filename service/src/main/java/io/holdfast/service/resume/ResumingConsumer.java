package io.holdfast.service.resume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream thread's consumer, which goes on behind the last outcome where nothing is committed.
 * Owned by the thread that polls.
 */
public class ResumingConsumer extends KafkaConsumer<byte[], byte[]> {
  /*
   * Kafka Streams seeks to the beginning in one case alone: a partition that is ours has no
   * committed offset, or one that its log does not have. Nobody else can give its messages outcomes
   * then: an owner of before is of an older generation of the group, with which its transaction
   * cannot be committed any more.
   *
   * The position is committed at once, though nothing came yet: others ask how far the group is.
   * Once a message was given away, Kafka Streams commits, and an older offset must not follow.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ResumingConsumer.class);
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);

  private final ResumePoints points;
  private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();

  public ResumingConsumer(Map<String, Object> settings, ResumePoints points) {
    super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.points = points;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    commitResumed();
    ConsumerRecords<byte[], byte[]> polled = super.poll(timeout);
    uncommitted.keySet().removeAll(polled.partitions());
    return polled;
  }

  @Override
  public void seekToBeginning(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> resumed = points.of(partitions);
    Set<TopicPartition> others = new HashSet<>(partitions);
    others.removeAll(resumed.keySet());
    if (!others.isEmpty()) {
      super.seekToBeginning(others);
    }
    resumed.forEach(
        (partition, offset) -> {
          seek(partition, offset);
          uncommitted.put(partition, new OffsetAndMetadata(offset));
        });
  }

  private void commitResumed() {
    uncommitted.keySet().retainAll(assignment());
    if (uncommitted.isEmpty()) {
      return;
    }
    try {
      commitSync(uncommitted, COMMIT_LIMIT);
      uncommitted.clear();
    } catch (RetriableException | CommitFailedException e) {
      // As while partitions change hands: with the next poll, if they are ours then.
      LOG.debug("where {} go on is not committed yet", uncommitted.keySet(), e);
    }
  }
}
