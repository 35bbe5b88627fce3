package io.holdfast.trainer.runtime.log;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.TroubleKind;
import io.holdfast.trainer.learn.Progress;
import io.holdfast.trainer.learn.RowSource;
import io.holdfast.trainer.publish.LearnedTopic;
import io.holdfast.trainer.window.LabelledRow;
import io.holdfast.trainer.window.LogEnds;
import io.holdfast.trainer.window.PartitionMerge;
import io.holdfast.trainer.window.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One model's example topic, read as one sequence. Owned by the training thread; not thread-safe,
 * and the consumer is not its own to close. Every method may throw Kafka's exceptions, also {@link
 * org.apache.kafka.common.errors.WakeupException} after the consumer was woken up.
 */
public final class ExampleLog {
  /*
   * Partitions are assigned by hand: the group holds offsets and has no members. What keeps two
   * trainers of a model apart is the producer's transactional id alone.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ExampleLog.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration READ_ON = Duration.ofMillis(20);

  /** A partition this many records ahead of the others is not fetched from until they catch up. */
  private static final int MAX_WAITING = 4_000;

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Duration settlingPoll;
  private final LogEnds ends;
  private final PartitionMerge<ConsumerRecord<byte[], byte[]>> merge =
      new PartitionMerge<>(ExampleReader::position);

  /**
   * How far a log was learned from, and where it ends now.
   *
   * @param topic the topic's id
   * @param learned the topic that was learned from last; null if that is not known
   * @param committed what the group has committed, by partition; partitions without a commit are
   *     not in it
   * @param ends where the partitions end
   */
  public record State(
      Uuid topic,
      @Nullable LearnedTopic learned,
      Map<Integer, OffsetAndMetadata> committed,
      Map<Integer, Long> ends) {}

  /** The log in {@code topic}, whose rows wait so long for partitions that have none. */
  public ExampleLog(Consumer<byte[], byte[]> consumer, String topic, Duration idle) {
    this.consumer = consumer;
    this.topic = topic;
    ends = new LogEnds(idle);
    Duration step = idle.dividedBy(8);
    settlingPoll = step.compareTo(POLL) < 0 ? step.plusMillis(1) : POLL;
  }

  /** What the consumer's group has committed, for partitions where it has. */
  public Map<Integer, OffsetAndMetadata> committed() {
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
   * How far it was learned from.
   *
   * @param id its topic's
   * @param note the partition that {@link LearnedTopic} is committed for
   */
  public State state(Uuid id, TopicPartition note) {
    OffsetAndMetadata noted = consumer.committed(Set.of(note)).get(note);
    Map<Integer, Long> found = new HashMap<>();
    consumer
        .endOffsets(partitions())
        .forEach((partition, end) -> found.put(partition.partition(), end));
    return new State(
        id,
        noted == null ? null : LearnedTopic.parse(noted.metadata()).orElse(null),
        committed(),
        found);
  }

  /**
   * Reads offsets again. What the log no longer holds is left out with a warning: the next version
   * is not what it would have been with it.
   */
  public RowSource.Found readAgain(SortedMap<Integer, Window.Cut> cuts) {
    Map<TopicPartition, Window.Cut> left = new HashMap<>();
    cuts.forEach((partition, cut) -> left.put(new TopicPartition(topic, partition), cut));
    consumer.unsubscribe(); // also ends the pauses of an earlier stretch
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(left.keySet());
    SortedMap<Integer, Window.Cut> gone = gone(left, begins, consumer.endOffsets(left.keySet()));
    left.entrySet().removeIf(e -> e.getValue().equals(gone.get(e.getKey().partition())));
    consumer.assign(left.keySet());
    left.forEach((partition, cut) -> seek(partition, cut.from(), begins));
    List<LabelledRow> rows = new ArrayList<>();
    while (!left.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        Window.Cut cut = cuts.get(record.partition());
        if (cut != null
            && record.offset() < cut.to()
            && ExampleReader.read(record) instanceof ExampleReader.Reading.Row row) {
          rows.add(row.row());
        }
      }
      left.entrySet().removeIf(e -> consumer.position(e.getKey()) >= e.getValue().to());
      consumer.pause(consumer.assignment().stream().filter(p -> !left.containsKey(p)).toList());
    }
    return new RowSource.Found(rows, gone);
  }

  /**
   * What of the cuts the log does not hold; all of one that ends behind the log is not of this log.
   */
  private static SortedMap<Integer, Window.Cut> gone(
      Map<TopicPartition, Window.Cut> cuts,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends) {
    TreeMap<Integer, Window.Cut> gone = new TreeMap<>();
    cuts.forEach(
        (partition, cut) -> {
          long begin = begins.getOrDefault(partition, 0L);
          if (begin >= cut.to() || ends.getOrDefault(partition, 0L) < cut.to()) {
            LOG.warn("{} does not hold offsets {} to {}", partition, cut.from(), cut.to() - 1);
            gone.put(partition.partition(), cut);
          } else if (begin > cut.from()) {
            gone.put(partition.partition(), new Window.Cut(cut.from(), begin));
          }
        });
    return gone;
  }

  /** Takes up the sequence after {@code progress}. */
  public void begin(Progress progress) {
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
          TroubleKind.TOPIC,
          Sentence.of(
              "Topic %s has no partition %s, which examples were learned from before: topics must"
                  + " not be made anew with fewer partitions.",
              topic, known.first()));
    }
  }

  /** Takes in partitions that were added to the topic. */
  public void adoptNewPartitions() {
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
  public void poll() {
    boolean settling =
        consumer.assignment().stream().anyMatch(each -> merge.waiting(each.partition()) > 0);
    poll(settling ? settlingPoll : POLL);
  }

  /** The same, but not long, while something else is waited for too. */
  public void readOn() {
    poll(READ_ON);
  }

  private void poll(Duration wait) {
    consumer.poll(wait).forEach(merge::add);
    look();
    List<TopicPartition> ahead = new ArrayList<>();
    List<TopicPartition> behind = new ArrayList<>();
    for (TopicPartition each : consumer.assignment()) {
      int partition = each.partition();
      merge.atEnd(partition, consumer.position(each) >= ends.end(partition));
      merge.settled(partition, ends.settled(partition));
      (merge.waiting(partition) > MAX_WAITING ? ahead : behind).add(each);
    }
    consumer.pause(ahead);
    consumer.resume(behind);
  }

  /** A log of one partition is read as it is: nothing in it waits for another. */
  private void look() {
    long asked = System.nanoTime();
    if (consumer.assignment().size() > 1 && ends.due(asked)) {
      Map<Integer, Long> offsets = new HashMap<>();
      consumer
          .endOffsets(consumer.assignment())
          .forEach((partition, end) -> offsets.put(partition.partition(), end));
      ends.look(asked, System.nanoTime(), offsets);
    }
  }

  /** The next record of the sequence; null if more of the log must be read first. */
  public @Nullable ConsumerRecord<byte[], byte[]> next() {
    return merge.poll();
  }

  /** How many examples are there to come, as far as is known. */
  public long waiting() {
    long waiting = 0;
    for (TopicPartition each : consumer.assignment()) {
      waiting += merge.waiting(each.partition()) + consumer.currentLag(each).orElse(0);
    }
    return waiting;
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
