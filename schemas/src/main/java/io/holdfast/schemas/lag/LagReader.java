package io.holdfast.schemas.lag;

import io.holdfast.schemas.topic.ClientSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Asks a broker how far stages are behind. Owned by one thread.
 *
 * <p>Between the offset that a group has committed and the end of what can be read there may be
 * records, and there are markers where transactions ended. So the records there are looked at: a
 * few hundred a partition, which says how many of all offsets are records.
 */
public final class LagReader implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** A stream whose newest record is no older than this is written to by the clock. */
  private static final Duration LIVE = Duration.ofMinutes(1);

  private final Admin admin;
  private final UnreadCounter counter;
  private final List<Stage> stages;
  private final InstantSource clock;
  private final Map<Stage, Arrivals> arrivals = new HashMap<>();
  private final Map<Stage, Map<TopicPartition, Unread>> last = new HashMap<>();

  /** A reader with clients of its own. */
  public LagReader(Map<String, String> kafka, Collection<Stage> stages, InstantSource clock) {
    this.admin = Admin.create(ClientSettings.admin(kafka, LIMIT));
    this.counter = new UnreadCounter(kafka);
    this.stages = List.copyOf(stages);
    this.clock = clock;
  }

  /**
   * How far each stage is behind now; one of which the broker does not say is left out.
   *
   * @throws org.apache.kafka.common.KafkaException if the broker cannot be asked
   */
  public Map<Stage, Lag> look() throws InterruptedException {
    awaitAnswer();
    Map<String, List<TopicPartition>> partitions = partitions();
    Map<String, Map<TopicPartition, OffsetAndMetadata>> committed = committed(partitions);
    Set<TopicPartition> all = new HashSet<>();
    partitions.values().forEach(all::addAll);
    Map<TopicPartition, Long> begins = offsets(all, OffsetSpec.earliest());
    Map<TopicPartition, Long> ends = offsets(all, OffsetSpec.latest());
    Set<String> deserted = deserted();
    Map<Stage, Lag> lags = new LinkedHashMap<>();
    for (Stage stage : stages) {
      var positions = committed.get(stage.group());
      List<TopicPartition> own = new ArrayList<>();
      stage.topics().forEach(topic -> own.addAll(partitions.getOrDefault(topic, List.of())));
      if (positions != null && !own.isEmpty() && ends.keySet().containsAll(own)) {
        Map<TopicPartition, Unread> unread = new LinkedHashMap<>();
        for (TopicPartition partition : own) {
          OffsetAndMetadata position = positions.get(partition);
          long begin = begins.getOrDefault(partition, 0L);
          long from = position == null ? begin : Math.max(begin, position.offset());
          unread.put(
              partition,
              Unread.unseen(partition, from, Math.max(from, ends.getOrDefault(partition, from))));
        }
        lags.put(stage, lag(stage, unread, deserted.contains(stage.members())));
      }
    }
    return lags;
  }

  private void awaitAnswer() throws InterruptedException {
    try {
      admin.describeCluster().nodes().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException error ? error : new KafkaException(e.getCause());
    }
  }

  private Lag lag(Stage stage, Map<TopicPartition, Unread> offsets, boolean deserted)
      throws InterruptedException {
    Map<TopicPartition, Unread> before = last.getOrDefault(stage, Map.of());
    Map<TopicPartition, Unread> unread = new LinkedHashMap<>();
    List<Unread> changed = new ArrayList<>();
    offsets.forEach(
        (partition, part) -> {
          Unread known = before.get(partition);
          if (known != null && known.from() == part.from() && known.end() == part.end()) {
            unread.put(partition, known);
          } else if (part.rows() == 0) {
            unread.put(partition, part);
          } else {
            changed.add(part);
          }
        });
    unread.putAll(count(changed));
    last.put(stage, unread);
    Arrivals seen = arrivals.computeIfAbsent(stage, each -> new Arrivals());
    Instant now = clock.instant();
    begin(seen, now, unread);
    seen.see(now, unread.values());
    return new Lag(
        unread.values().stream().mapToLong(Unread::rows).sum(),
        seen.waited(now, unread.values(), deserted ? 1 : stage.batch()),
        deserted);
  }

  private Map<TopicPartition, Unread> count(List<Unread> offsets) {
    try {
      return offsets.isEmpty() ? Map.of() : counter.count(offsets);
    } catch (AuthorizationException e) {
      // This program need not have the right to read what another one reads.
      Map<TopicPartition, Unread> unseen = new HashMap<>();
      offsets.forEach(part -> unseen.put(part.partition(), part));
      return unseen;
    }
  }

  /** The first look at partitions: whether the records' own times can be believed. */
  private void begin(Arrivals seen, Instant now, Map<TopicPartition, Unread> unread) {
    List<Unread> added = unread.values().stream().filter(u -> seen.isNew(u.partition())).toList();
    Map<TopicPartition, Long> newest = newestTimes(added);
    for (Unread part : added) {
      long time = newest.getOrDefault(part.partition(), 0L);
      seen.begin(part.partition(), part.end(), time >= now.minus(LIVE).toEpochMilli());
    }
  }

  private Map<TopicPartition, Long> newestTimes(List<Unread> added) {
    try {
      return counter.newestTimes(added.stream().filter(part -> part.rows() > 0).toList());
    } catch (AuthorizationException e) {
      return Map.of();
    }
  }

  private Map<String, List<TopicPartition>> partitions() throws InterruptedException {
    Set<String> topics = new HashSet<>();
    stages.forEach(stage -> topics.addAll(stage.topics()));
    Map<String, List<TopicPartition>> partitions = new HashMap<>();
    for (var asked : admin.describeTopics(topics).topicNameValues().entrySet()) {
      answer(asked.getValue())
          .ifPresent(
              topic ->
                  partitions.put(
                      topic.name(),
                      topic.partitions().stream()
                          .map(info -> new TopicPartition(topic.name(), info.partition()))
                          .toList()));
    }
    return partitions;
  }

  private Map<String, Map<TopicPartition, OffsetAndMetadata>> committed(
      Map<String, List<TopicPartition>> partitions) throws InterruptedException {
    Map<String, Set<TopicPartition>> wanted = new HashMap<>();
    for (Stage stage : stages) {
      Set<TopicPartition> own = wanted.computeIfAbsent(stage.group(), group -> new HashSet<>());
      stage.topics().forEach(topic -> own.addAll(partitions.getOrDefault(topic, List.of())));
    }
    Map<String, ListConsumerGroupOffsetsSpec> specs = new HashMap<>();
    wanted.forEach(
        (group, own) -> specs.put(group, new ListConsumerGroupOffsetsSpec().topicPartitions(own)));
    ListConsumerGroupOffsetsResult result = admin.listConsumerGroupOffsets(specs);
    Map<String, Map<TopicPartition, OffsetAndMetadata>> committed = new HashMap<>();
    for (String group : wanted.keySet()) {
      answer(result.partitionsToOffsetAndMetadata(group))
          .ifPresent(offsets -> committed.put(group, offsets));
    }
    return committed;
  }

  private Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec spec)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, spec));
    ListOffsetsResult result =
        admin.listOffsets(specs, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (TopicPartition partition : partitions) {
      answer(result.partitionResult(partition))
          .ifPresent(info -> offsets.put(partition, info.offset()));
    }
    return offsets;
  }

  /** Groups that have no members. */
  private Set<String> deserted() throws InterruptedException {
    Set<String> groups = new HashSet<>();
    stages.forEach(stage -> groups.add(stage.members()));
    Set<String> deserted = new HashSet<>();
    for (var asked : admin.describeConsumerGroups(groups).describedGroups().entrySet()) {
      try {
        if (asked.getValue().get().members().isEmpty()) {
          deserted.add(asked.getKey());
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof GroupIdNotFoundException) {
          deserted.add(asked.getKey());
        }
      }
    }
    return deserted;
  }

  /** What the broker says; empty if it does not. */
  private static <T> Optional<T> answer(KafkaFuture<T> asked) throws InterruptedException {
    try {
      return Optional.ofNullable(asked.get());
    } catch (ExecutionException e) {
      return Optional.empty(); // a topic that is not there, a group that may not be looked at
    }
  }

  @Override
  public void close() {
    counter.close();
    admin.close(LIMIT);
  }
}
