package io.holdfast.service.resume;

import io.holdfast.schemas.topic.TopicException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream thread's consumer, which goes on behind the last outcome where nothing is committed, and
 * where what is committed may be of a topic that was deleted; it reads no topic made anew since the
 * run began. Owned by the thread that polls.
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
   *
   * A consumer follows a name to another topic by its metadata alone, so the names are checked behind
   * each update of those, before anything read since is given away.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ResumingConsumer.class);
  private static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);

  /*
   * Kafka Streams polls without a wait while it asks to be let into its group again, or leaves it.
   * That lasts for as long as its topic is gone, another has its instance's id or the broker is
   * down, and took a processor's whole time for each thread.
   */
  private static final Duration TURN = Duration.ofMillis(10);

  private final ResumePoints points;
  private final SourceTopics sources;
  private final MetadataUpdates updates;
  private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
  private boolean records; // whether the last poll brought any

  public ResumingConsumer(Map<String, Object> settings, ResumePoints points, SourceTopics sources) {
    this(settings, points, sources, new MetadataUpdates());
  }

  private ResumingConsumer(
      Map<String, Object> settings,
      ResumePoints points,
      SourceTopics sources,
      MetadataUpdates updates) {
    super(settings, new ByteArrayDeserializer(), updates);
    this.points = points;
    this.sources = sources;
    this.updates = updates;
  }

  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, new Distrusting(listener));
  }

  @Override
  public void subscribe(Pattern topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, new Distrusting(listener));
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    commitResumed();
    boolean idle = timeout.isZero() && !records;
    ConsumerRecords<byte[], byte[]> polled = checked(super.poll(idle ? TURN : timeout));
    records = !polled.isEmpty();
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

  /** What was polled, if it is of the topics that the run began with. */
  private ConsumerRecords<byte[], byte[]> checked(ConsumerRecords<byte[], byte[]> polled) {
    if (polled.isEmpty() || !updates.unchecked()) {
      return polled;
    }
    updates.check();
    try {
      sources.check(subscription());
      return polled;
    } catch (TopicException e) {
      LOG.warn("what was read waits: whether its topics were made anew is not known", e);
      updates.checkAgain();
      for (TopicPartition partition : polled.partitions()) {
        seek(partition, polled.records(partition).getFirst().offset());
      }
      return ConsumerRecords.empty();
    }
  }

  private void resumeDistrusted(Collection<TopicPartition> assigned) {
    Set<TopicPartition> distrusted = new HashSet<>(assigned);
    distrusted.removeIf(partition -> !sources.distrusted(partition));
    if (!distrusted.isEmpty()) {
      Map<TopicPartition, Long> resumed = beginningOffsets(distrusted);
      resumed.putAll(points.of(distrusted));
      resumed.forEach(this::beginAt);
    }
  }

  private void beginAt(TopicPartition partition, long offset) {
    LOG.info("{} was made anew: it is read from {}", partition, offset);
    seek(partition, offset);
    uncommitted.put(partition, new OffsetAndMetadata(offset));
  }

  private void commitResumed() {
    uncommitted.keySet().retainAll(assignment());
    if (uncommitted.isEmpty()) {
      return;
    }
    try {
      commitSync(uncommitted, COMMIT_LIMIT);
      sources.trust(uncommitted.keySet());
      uncommitted.clear();
    } catch (RetriableException | CommitFailedException e) {
      // As while partitions change hands: with the next poll, if they are ours then.
      LOG.debug("where {} go on is not committed yet", uncommitted.keySet(), e);
    }
  }

  /** Sets positions before the listener is told of partitions, whose first records come then. */
  private final class Distrusting implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener listener;

    Distrusting(ConsumerRebalanceListener listener) {
      this.listener = listener;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      resumeDistrusted(partitions);
      listener.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      listener.onPartitionsRevoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      listener.onPartitionsLost(partitions);
    }
  }
}
