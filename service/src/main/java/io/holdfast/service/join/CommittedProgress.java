package io.holdfast.service.join;

import io.holdfast.schemas.Sentence;
import io.holdfast.service.join.Marks.Mark;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
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
   * ends are what is wanted. Answers come on the admin client's thread.
   */
  private static final Logger LOG = LoggerFactory.getLogger(CommittedProgress.class);
  private static final long ROUND_MILLIS = 100;
  private static final long DESCRIBED_FOR_MILLIS = 10_000;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** At once; the admin client takes zero for no limit at all. */
  private static final Duration CLOSE_LIMIT = Duration.ofMillis(1);

  private final Map<String, String> kafka;
  private final ReadSide records;
  private final ReadSide labels;
  private final StandingPositions standing;
  private final Marks marks = new Marks();
  private @Nullable Admin admin;
  private int users;
  private boolean asking;
  private long askedAt = Long.MIN_VALUE;
  private long describedAt = Long.MIN_VALUE;
  private @Nullable String failure;

  /** Asks nothing yet; {@code scoring} and {@code joining} are the groups that do so. */
  public CommittedProgress(
      Map<String, String> kafka, String records, String scoring, String labels, String joining) {
    this.kafka = kafka;
    this.standing = new StandingPositions(kafka);
    this.records = new ReadSide(records, scoring);
    this.labels = new ReadSide(labels, joining);
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
  public void close() {
    Admin last = closed();
    if (last != null) {
      // Not while holding the lock: what was asked fails on the client's thread, and is told here.
      last.close(CLOSE_LIMIT);
    }
  }

  private synchronized @Nullable Admin closed() {
    if (--users > 0) {
      return null;
    }
    Admin last = admin;
    admin = null;
    asking = false;
    return last;
  }

  @Override
  public synchronized long mark() {
    return marks.want();
  }

  @Override
  public synchronized boolean recordsPassed(long mark) {
    return marks.recordsPassed(mark);
  }

  @Override
  public synchronized boolean labelsPassed(long mark) {
    return marks.labelsPassed(mark);
  }

  @Override
  public synchronized void look(long now) {
    Admin client = admin;
    boolean early = askedAt != Long.MIN_VALUE && now - askedAt < ROUND_MILLIS;
    if (client == null || asking || early || marks.idle()) {
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
    for (ReadSide side : List.of(records, labels)) {
      side.describe(topics.get(side.topic()));
    }
    describedAt = now;
  }

  private synchronized CompletionStage<?> round(Admin client, long now) {
    CompletionStage<?> ends = CompletableFuture.completedStage(null);
    long number = marks.due(now);
    if (number > 0) {
      ends =
          offsets(client, OffsetSpec.latest())
              .thenAccept(answer -> add(new Mark(number, now, answer)));
    }
    CompletionStage<?> starts =
        records.begun() && labels.begun()
            ? CompletableFuture.completedStage(null)
            : offsets(client, OffsetSpec.earliest()).thenAccept(this::begin);
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
        .thenApply(
            all ->
                all.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().offset())));
  }

  private synchronized void begin(Map<TopicPartition, Long> starts) {
    records.begin(starts);
    labels.begin(starts);
  }

  private synchronized void commit(Map<String, Map<TopicPartition, OffsetAndMetadata>> committed) {
    for (ReadSide side : List.of(records, labels)) {
      side.commit(committed.getOrDefault(side.group(), Map.of()));
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
      marks.lost();
      describedAt = Long.MIN_VALUE;
      String message = String.valueOf(error.getMessage());
      if (!message.equals(failure)) {
        LOG.warn("how far {} is scored cannot be seen: {}", records.topic(), message);
      }
      failure = message;
      return;
    }
    failure = null;
    marks.settle(records, labels);
    Mark oldest = marks.oldest();
    if (oldest != null) {
      standing.look(List.of(records, labels), oldest.ends(), askedAt);
    }
  }

  @Override
  public synchronized @Nullable String behind() {
    if (failure != null) {
      return "the broker does not say how far they are: " + failure;
    }
    Mark oldest = marks.oldest();
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
