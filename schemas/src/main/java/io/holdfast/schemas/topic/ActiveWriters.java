package io.holdfast.schemas.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Who writes to topics in transactions, by what changes from one look to the next. Owned by one
 * thread.
 */
public final class ActiveWriters implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final Map<String, String> kafka;
  private final Admin admin;
  private @Nullable Map<Place, Mark> before;

  private record Place(TopicPartition partition, long producerId) {}

  /** How far a producer has got on a partition. */
  private record Mark(int epoch, int sequence, long timestamp) {}

  public ActiveWriters(Map<String, String> kafka) {
    this.kafka = kafka;
    this.admin = Admin.create(ClientSettings.admin(kafka, LIMIT));
  }

  /**
   * The transactional ids of those who have written to each topic since the last look.
   *
   * @param partitions how many each topic has
   * @throws TopicException in one sentence, if the broker does not say
   */
  public Map<String, Set<String>> look(Map<String, Integer> partitions) {
    try {
      Map<Place, Mark> now = marks(partitions);
      Map<Place, Mark> last = before == null ? now : before;
      before = now;
      Map<String, Set<Long>> producers = new HashMap<>();
      now.forEach(
          (place, mark) -> {
            if (!mark.equals(last.get(place))) {
              producers
                  .computeIfAbsent(place.partition().topic(), _ -> new HashSet<>())
                  .add(place.producerId());
            }
          });
      return named(producers);
    } catch (ExecutionException | KafkaException | InterruptedException e) {
      throw ClientSettings.failure(kafka, e);
    }
  }

  private Map<Place, Mark> marks(Map<String, Integer> topics) throws InterruptedException {
    List<TopicPartition> partitions = new ArrayList<>();
    topics.forEach(
        (topic, count) ->
            IntStream.range(0, count).forEach(p -> partitions.add(new TopicPartition(topic, p))));
    Map<Place, Mark> marks = new HashMap<>();
    if (partitions.isEmpty()) {
      return marks;
    }
    DescribeProducersResult states = admin.describeProducers(partitions);
    for (TopicPartition partition : partitions) {
      for (ProducerState state : active(states, partition)) {
        marks.put(
            new Place(partition, state.producerId()),
            new Mark(state.producerEpoch(), state.lastSequence(), state.lastTimestamp()));
      }
    }
    return marks;
  }

  /** None where the broker does not say: the topic may just have been deleted. */
  private static List<ProducerState> active(
      DescribeProducersResult states, TopicPartition partition) throws InterruptedException {
    try {
      return states.partitionResult(partition).get().activeProducers();
    } catch (ExecutionException e) {
      return List.of();
    }
  }

  private Map<String, Set<String>> named(Map<String, Set<Long>> producers)
      throws ExecutionException, InterruptedException {
    Set<Long> ids = new HashSet<>();
    producers.values().forEach(ids::addAll);
    Map<Long, String> names = new HashMap<>();
    if (!ids.isEmpty()) {
      Collection<TransactionListing> listings =
          admin.listTransactions(new ListTransactionsOptions().filterProducerIds(ids)).all().get();
      listings.forEach(listing -> names.put(listing.producerId(), listing.transactionalId()));
    }
    Map<String, Set<String>> named = new HashMap<>();
    producers.forEach(
        (topic, of) ->
            named.put(
                topic,
                of.stream()
                    .map(names::get)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toCollection(TreeSet::new))));
    return named;
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
