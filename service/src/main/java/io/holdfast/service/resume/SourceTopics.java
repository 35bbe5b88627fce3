package io.holdfast.service.resume;

import io.holdfast.schemas.topic.TopicException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Which topics the names of a topology's sources mean, by their ids, over all its runs. A topic
 * that is deleted and made anew keeps its name, and Kafka's consumers and committed offsets know
 * names alone: they would go on within the new topic where they were in the old one. Thread-safe.
 */
public final class SourceTopics {
  private final Function<Collection<String>, Map<String, Uuid>> look;
  private final Map<String, Uuid> first = new ConcurrentHashMap<>();
  private final Map<String, Uuid> present = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Uuid> trusted = new ConcurrentHashMap<>();

  /** {@code look} asks the broker for ids; it fails with a {@link TopicException}. */
  public SourceTopics(Function<Collection<String>, Map<String, Uuid>> look) {
    this.look = look;
  }

  /** A run begins, of topics with these ids. */
  public void begin(Map<String, Uuid> topics) {
    topics.forEach(first::putIfAbsent);
    present.putAll(topics);
  }

  /** Whether what is committed of a partition may be of a topic that is gone. */
  boolean distrusted(TopicPartition partition) {
    Uuid now = present.get(partition.topic());
    return now != null
        && !now.equals(first.get(partition.topic()))
        && !now.equals(trusted.get(partition));
  }

  /** What is committed of these partitions is of the topics that the run began with. */
  void trust(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      Uuid now = present.get(partition.topic());
      if (now != null) {
        trusted.put(partition, now);
      }
    }
  }

  /**
   * Makes sure that these names still mean what they meant as the run began.
   *
   * @throws TopicMadeAnewException if one does not
   * @throws TopicException in one sentence, if the broker does not say
   */
  void check(Set<String> names) {
    Map<String, Uuid> begun = new HashMap<>(present);
    begun.keySet().retainAll(names);
    Map<String, Uuid> now = look.apply(begun.keySet());
    begun.forEach(
        (name, id) -> {
          if (!id.equals(now.getOrDefault(name, id))) { // one that is not there has nothing to read
            throw new TopicMadeAnewException(name);
          }
        });
  }
}
