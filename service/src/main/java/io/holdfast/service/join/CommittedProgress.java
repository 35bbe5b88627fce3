package io.holdfast.service.join;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.lag.ReadableRecords;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Progress by what the broker says: a side has passed a mark when the committed offsets of the
 * group that reads it are at or past the ends that its topic had then. Those groups commit what
 * they write together with what they have read. Asks only while somebody waits for a mark.
 */
public final class CommittedProgress implements InputProgress {
  /*
   * A round asks for ends and for committed offsets at once: whichever is older, offsets at or past
   * ends are what is wanted. Answers come on the admin client's thread. Marks that wait long are
   * kept ever further apart, so that a backlog of hours costs a few hundred at most.
   *
   * A group commits what it has taken. Where a partition ends in an aborted transaction it takes
   * nothing and may never commit past it, so offsets that stand before an end are looked at: if no
   * record is there, the group has passed it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(CommittedProgress.class);
  private static final long ROUND_MILLIS = 100;
  private static final long DESCRIBED_FOR_MILLIS = 10_000;
  private static final int APART = 16;
  private static final long STANDING_MILLIS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Map<String, String> kafka;
  private final Side records;
  private final Side labels;
  private final ReadableRecords readable;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private final Map<TopicPartition, Standing> standing = new HashMap<>();
  private boolean lookingAtRecords;
  private @Nullable Admin admin;
  private int users;
  private boolean wanted;
  private boolean asking;
  private long askedAt = Long.MIN_VALUE;
  private long describedAt = Long.MIN_VALUE;
  private long newest;
  private long recordsPassed;
  private long labelsPassed;
  private @Nullable String failure;

  /**
   * A topic, and the consumer group that takes what is in it.
   *
   * @param committed the positions of partitions, as far as they are known
   * @param empty offsets without a record, where a partition has such
   */
  private record Side(
      String topic,
      String group,
      List<TopicPartition> partitions,
      Map<TopicPartition, Long> committed,
      Map<TopicPartition, Span> empty) {
    Side(String topic, String group) {
      this(topic, group, new ArrayList<>(), new HashMap<>(), new HashMap<>());
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

  /** Offsets from one to before another. */
  private record Span(long from, long to) {
    Span then(Span next) {
      return next.from() == to ? new Span(from, next.to()) : next;
    }
  }

  /** Since when a group's position is the same, and whether a record is known to be there. */
  private record Standing(long position, long since, boolean records) {}

  private record Mark(long number, long begunAt, Map<TopicPartition, Long> ends) {}

  /**
   * Asks nothing yet.
   *
   * @param kafka settings of its client
   * @param scoring the group that scores
   * @param joining the group that joins
   */
  public CommittedProgress(
      Map<String, String> kafka, String records, String scoring, String labels, String joining) {
    this.kafka = kafka;
    this.readable = new ReadableRecords(kafka);
    this.records = new Side(records, scoring);
    this.labels = new Side(labels, joining);
  }

  @Override
  public synchronized void open() {
    if (users++ == 0) {
      Map<String, Object> settings = new HashMap<>(kafka);
      settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) LIMIT.toMillis());
      settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) LIMIT.toMillis());
      admin = Admin.create(settings);
      describedAt = Long.MIN_VALUE;
    }
  }

  @Override
  public synchronized void close() {
    Admin last = admin;
    if (--users == 0 && last != null) {
      admin = null;
      asking = false;
      last.close(Duration.ZERO);
    }
  }

  @Override
  public synchronized long mark() {
    wanted = true;
    return newest + 1;
  }

  @Override
  public synchronized boolean recordsPassed(long mark) {
    return recordsPassed >= mark;
  }

  @Override
  public synchronized boolean labelsPassed(long mark) {
    return labelsPassed >= mark;
  }

  @Override
  public synchronized void look(long now) {
    Admin client = admin;
    boolean early = askedAt != Long.MIN_VALUE && now - askedAt < ROUND_MILLIS;
    if (client == null || asking || early || (!wanted && marks.isEmpty())) {
      return;
    }
    asking = true;
    askedAt = now;
    var _ =
        described(client, now)
            .thenCompose(_ -> round(client, now))
            .whenComplete((_, error) -> answered(client, error));
  }

  private CompletionStage<?> described(Admin client, long now) {
    if (describedAt != Long.MIN_VALUE && now - describedAt < DESCRIBED_FOR_MILLIS) {
      return CompletableFuture.completedStage(null);
    }
    return client
        .describeTopics(List.of(records.topic(), labels.topic()))
        .allTopicNames()
        .toCompletionStage()
        .thenAccept(topics -> describe(topics, now));
  }

  private synchronized void describe(Map<String, TopicDescription> topics, long now) {
    for (Side side : List.of(records, labels)) {
      TopicDescription topic = topics.get(side.topic());
      if (topic != null && topic.partitions().size() != side.partitions().size()) {
        side.partitions().clear();
        topic
            .partitions()
            .forEach(p -> side.partitions().add(new TopicPartition(side.topic(), p.partition())));
      }
    }
    describedAt = now;
  }

  private synchronized CompletionStage<?> round(Admin client, long now) {
    CompletionStage<?> ends = CompletableFuture.completedStage(null);
    Mark last = marks.peekLast();
    boolean apart =
        last == null || now - last.begunAt() >= (now - marks.getFirst().begunAt()) / APART;
    if (wanted && apart) {
      wanted = false;
      long number = ++newest;
      ends =
          offsets(client, OffsetSpec.latest())
              .thenAccept(answer -> add(new Mark(number, now, answer)));
    }
    CompletionStage<?> starts =
        records.committed().size() < records.partitions().size()
                || labels.committed().size() < labels.partitions().size()
            ? offsets(client, OffsetSpec.earliest()).thenAccept(this::begunAt)
            : CompletableFuture.completedStage(null);
    CompletionStage<?> committed =
        starts
            .thenCompose(
                _ ->
                    client
                        .listConsumerGroupOffsets(
                            Map.of(
                                records.group(), new ListConsumerGroupOffsetsSpec(),
                                labels.group(), new ListConsumerGroupOffsetsSpec()))
                        .all()
                        .toCompletionStage())
            .thenAccept(this::commit);
    return ends.thenCombine(committed, (_, _) -> "done");
  }

  private CompletionStage<Map<TopicPartition, Long>> offsets(Admin client, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    records.partitions().forEach(partition -> asked.put(partition, which));
    labels.partitions().forEach(partition -> asked.put(partition, which));
    return client
        .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .toCompletionStage()
        .thenApply(CommittedProgress::offsets);
  }

  private static Map<TopicPartition, Long> offsets(Map<TopicPartition, ListOffsetsResultInfo> all) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    all.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  /** A partition that nothing is committed of is read from its beginning, wherever that is. */
  private synchronized void begunAt(Map<TopicPartition, Long> starts) {
    for (Side side : List.of(records, labels)) {
      side.partitions().forEach(p -> side.committed().putIfAbsent(p, starts.getOrDefault(p, 0L)));
    }
  }

  private synchronized void commit(Map<String, Map<TopicPartition, OffsetAndMetadata>> committed) {
    for (Side side : List.of(records, labels)) {
      committed
          .getOrDefault(side.group(), Map.of())
          .forEach(
              (partition, offset) -> {
                if (offset != null && partition.topic().equals(side.topic())) {
                  side.committed().put(partition, offset.offset());
                }
              });
    }
  }

  private synchronized void add(Mark mark) {
    marks.add(mark);
  }

  private synchronized void answered(Admin client, @Nullable Throwable error) {
    if (!client.equals(admin)) {
      return; // closed meanwhile
    }
    asking = false;
    if (error != null) {
      wanted = true; // its mark may be lost: a later one stands for it
      describedAt = Long.MIN_VALUE;
      String message = String.valueOf(error.getMessage());
      if (!message.equals(failure)) {
        LOG.warn("how far {} is scored cannot be seen: {}", records.topic(), message);
      }
      failure = message;
      return;
    }
    failure = null;
    for (Iterator<Mark> all = marks.iterator(); all.hasNext(); ) {
      Mark mark = all.next();
      boolean recordsDone = mark.number() <= recordsPassed || records.passed(mark.ends());
      boolean labelsDone = mark.number() <= labelsPassed || labels.passed(mark.ends());
      if (recordsDone) {
        recordsPassed = Math.max(recordsPassed, mark.number());
      }
      if (labelsDone) {
        labelsPassed = Math.max(labelsPassed, mark.number());
      }
      if (recordsDone && labelsDone) {
        all.remove();
      }
    }
    lookAtWhatStands();
  }

  /** One partition at a time, on a thread of its own: to read may take seconds. */
  private void lookAtWhatStands() {
    Mark oldest = marks.peekFirst();
    if (oldest == null || lookingAtRecords) {
      return;
    }
    for (Side side : List.of(records, labels)) {
      for (TopicPartition partition : side.partitions()) {
        long position = side.position(partition);
        Standing before = standing.get(partition);
        if (side.left(partition, oldest.ends()) == 0) {
          standing.remove(partition);
        } else if (before == null || before.position() != position) {
          standing.put(partition, new Standing(position, askedAt, false));
        } else if (!before.records() && askedAt - before.since() >= STANDING_MILLIS) {
          Span span = new Span(position, oldest.ends().getOrDefault(partition, position));
          lookingAtRecords = true;
          Thread.ofVirtual().name("label-join-look").start(() -> look(side, partition, span));
          return;
        }
      }
    }
  }

  private void look(Side side, TopicPartition partition, Span span) {
    boolean any = true;
    boolean failed = false;
    try {
      any = readable.anyBetween(partition, span.from(), span.to());
    } catch (KafkaException e) {
      failed = true;
      LOG.debug("{} cannot be looked at, and is again later", partition, e);
    }
    looked(side, partition, span, any, failed);
  }

  private synchronized void looked(
      Side side, TopicPartition partition, Span span, boolean any, boolean failed) {
    lookingAtRecords = false;
    if (any) {
      standing.put(partition, new Standing(span.from(), askedAt, !failed));
    } else {
      side.empty().merge(partition, span, Span::then);
      standing.remove(partition);
    }
  }

  @Override
  public synchronized @Nullable String behind() {
    if (failure != null) {
      return "the broker does not say how far they are: " + failure;
    }
    Mark oldest = marks.peekFirst();
    if (oldest == null) {
      return null;
    }
    for (TopicPartition partition : records.partitions()) {
      long left = records.left(partition, oldest.ends());
      if (left > 0) {
        return Sentence.of(
            "partition %d of %s has %d that were there by then and are not scored",
            partition.partition(), partition.topic(), left);
      }
    }
    return null;
  }
}
