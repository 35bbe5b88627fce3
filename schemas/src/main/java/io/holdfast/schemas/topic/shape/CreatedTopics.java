package io.holdfast.schemas.topic.shape;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics that were created a moment ago. Stateless. */
public final class CreatedTopics {
  private CreatedTopics() {}

  /**
   * Returns once the leader of each partition takes records.
   *
   * <p>The controller creates a topic; brokers hear of it later. An idempotent producer that is
   * faster than that may lose its first batch: the broker refuses it, takes the second, and from
   * then on the first is out of sequence (KAFKA-15591).
   *
   * @throws TimeoutException if no broker lists a topic after {@code limit}
   * @throws ExecutionException with the reason, if a topic may not be described, or still has a
   *     partition without a leader after {@code limit}
   */
  public static void awaitLeaders(Admin admin, Collection<String> names, Duration limit)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
    for (TopicDescription topic : described(admin, names, limit).values()) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        partitions.put(
            new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest());
      }
    }
    // Only a leader answers this, and the client asks again until there is one.
    var options = new ListOffsetsOptions().timeoutMs((int) limit.toMillis());
    admin.listOffsets(partitions, options).all().get();
  }

  private static Map<String, TopicDescription> described(
      Admin admin, Collection<String> names, Duration limit)
      throws ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      try {
        return admin.describeTopics(names).allTopicNames().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        if (System.nanoTime() - deadline > 0) {
          throw new TimeoutException("the topics were created and no broker lists them");
        }
      }
    }
  }
}
