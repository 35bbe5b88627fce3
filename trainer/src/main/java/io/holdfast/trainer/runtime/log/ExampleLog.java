package io.holdfast.trainer.runtime.log;

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
 * One model's example topic, read as one sequence. Owned by the training thread; does not close the
 * consumer. Methods may throw Kafka's exceptions, also {@link
 * org.apache.kafka.common.errors.WakeupException}.
 */
public final class ExampleLog {
  /*
   * Partitions are assigned by hand: the group holds offsets and has no members. Only the producer's
   * transactional id keeps two trainers of a model apart.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ExampleLog.class);
  public static final Duration POLL = Duration.ofMillis(500);
  private static final Duration READ_ON = Duration.ofMillis(20);

  /** A partition so many records ahead of the others is paused until they catch up. */
  private static final int MAX_WAITING = 4_000;

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Duration settlingPoll;
  private final LogEnds ends;
  private ForgottenKeys forgotten = ForgottenKeys.NONE;
  private final PartitionMerge<ConsumerRecord<byte[], byte[]>> merge =
      new PartitionMerge<>(ExampleReader::position);

  /**
   * How far a log was learned from, and where it ends, by partition.
   *
   * @param learned the topic that was learned from last; null if unknown
   * @param committed by the group; not for all partitions
   */
  public record State(
      Uuid topic,
      @Nullable LearnedTopic learned,
      Map<Integer, OffsetAndMetadata> committed,
      Map<Integer, Long> ends) {}

  /** Rows wait {@code idle} for partitions that have none. */
  public ExampleLog(Consumer<byte[], byte[]> consumer, String topic, Duration idle) {
    this.consumer = consumer;
    this.topic = topic;
    ends = new LogEnds(idle);
    Duration step = idle.dividedBy(8);
    settlingPoll = step.compareTo(POLL) < 0 ? step.plusMillis(1) : POLL;
  }

  /** Sets which examples are passed over from now on, as if the log did not have them. */
  public void forget(ForgottenKeys keys) {
    forgotten = keys;
  }

  /** What the consumer's group has committed, for partitions where it has. */
  public Map<Integer, OffsetAndMetadata> committed() {
    return byPartition(consumer.committed(Set.copyOf(partitions())));
  }

  private static <V> Map<Integer, V> byPartition(Map<TopicPartition, V> values) {
    Map<Integer, V> all = new HashMap<>();
    values.forEach(
        (partition, value) -> {
          if (value != null) {
            all.put(partition.partition(), value);
          }
        });
    return all;
  }

  /** The state of a topic with that id; {@code note} is where {@link LearnedTopic} is committed. */
  public State state(Uuid id, TopicPartition note) {
    OffsetAndMetadata noted = consumer.committed(Set.of(note)).get(note);
    return new State(
        id,
        noted == null ? null : LearnedTopic.parse(noted.metadata()).orElse(null),
        committed(),
        byPartition(consumer.endOffsets(partitions())));
  }

  /**
   * Reads cuts again. What the log no longer holds is left out with a warning: the next version is
   * another one without it.
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
            && !forgotten.has(record)
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
   * The parts of the cuts that the log does not hold; one that ends behind it is of another log.
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

  /** Continues after {@code progress}. */
  public void begin(Progress progress) {
    TreeSet<Integer> known = new TreeSet<>(progress.partitions().keySet());
    List<TopicPartition> partitions = partitions();
    // While nothing is assigned: the client takes an answer for an assigned partition as its end,
    // and
    // would report no lag.
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
          "Topic %s has no partition %s, which examples were learned from before: topics must not"
              + " be made anew with fewer partitions.",
          topic,
          known.first());
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

  /** Reads more of the log, waiting a little for it. */
  public void poll() {
    boolean settling =
        consumer.assignment().stream().anyMatch(each -> merge.waiting(each.partition()) > 0);
    poll(settling ? settlingPoll : POLL);
  }

  /** Reads more of the log, hardly waiting, while there is something else to do. */
  public void readOn() {
    poll(READ_ON);
  }

  private void poll(Duration wait) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
      if (!forgotten.has(record)) {
        merge.add(record);
      }
    }
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

  /** Needless with one partition: nothing waits for another. */
  private void look() {
    long asked = System.nanoTime();
    if (consumer.assignment().size() > 1 && ends.due(asked)) {
      Map<Integer, Long> offsets = byPartition(consumer.endOffsets(consumer.assignment()));
      ends.look(asked, System.nanoTime(), offsets);
    }
  }

  /** The next record of the sequence; null if more of the log must be read first. */
  public @Nullable ConsumerRecord<byte[], byte[]> next() {
    return merge.poll();
  }

  /** Whether all examples before these offsets, by partition, were given out. */
  public boolean passed(Map<Integer, Long> offsets) {
    return consumer.assignment().stream()
        .allMatch(
            each ->
                merge.waiting(each.partition()) == 0
                    && consumer.position(each) >= offsets.getOrDefault(each.partition(), 0L));
  }

  /** How many examples are to come, as far as is known. */
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
