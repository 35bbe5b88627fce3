package io.holdfast.trainer.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Assigns each model's topic, with all its partitions, to one member of the group: evenly, and with
 * as few moves as possible. Members may subscribe to different topics. Stateless; made by Kafka's
 * consumer.
 *
 * <p>By Kafka's cooperative protocol a model that moves is given to nobody until its trainer has
 * let go of it, which makes the group share again. All other models are trained meanwhile.
 */
public final class ModelAssignor implements ConsumerPartitionAssignor {
  private static final BinaryOperator<String> ONE_OF_TWO =
      BinaryOperator.minBy(Comparator.naturalOrder());

  private record Claim(String member, int generation) {}

  @Override
  public String name() {
    return "holdfast-models";
  }

  @Override
  public List<RebalanceProtocol> supportedProtocols() {
    return List.of(RebalanceProtocol.COOPERATIVE);
  }

  @Override
  public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
    Map<String, Subscription> members = group.groupSubscription();
    SortedMap<String, Set<String>> trainers = new TreeMap<>();
    Map<TopicPartition, Claim> claims = new HashMap<>();
    members.forEach(
        (member, subscription) -> {
          trainers.put(member, new HashSet<>(subscription.topics()));
          var claim = new Claim(member, subscription.generationId().orElse(-1));
          for (TopicPartition partition : subscription.ownedPartitions()) { // the latest counts
            claims.merge(partition, claim, (a, b) -> a.generation() >= b.generation() ? a : b);
          }
        });
    Map<String, String> owners = new HashMap<>();
    claims.forEach(
        (partition, claim) -> owners.merge(partition.topic(), claim.member(), ONE_OF_TWO));
    Map<String, Assignment> assignments = new HashMap<>();
    ModelShares.of(trainers, owners)
        .forEach(
            (member, topics) -> {
              List<TopicPartition> partitions = new ArrayList<>();
              for (String topic : topics) {
                partitions.addAll(available(metadata, topic, member, claims));
              }
              assignments.put(member, new Assignment(partitions));
            });
    return new GroupAssignment(assignments);
  }

  /** The topic's partitions; only the member's own while others hold some. */
  private static List<TopicPartition> available(
      Cluster metadata, String topic, String member, Map<TopicPartition, Claim> claims) {
    List<TopicPartition> all = new ArrayList<>();
    List<TopicPartition> own = new ArrayList<>();
    boolean othersHoldSome = false;
    for (PartitionInfo info : metadata.partitionsForTopic(topic)) {
      var partition = new TopicPartition(topic, info.partition());
      Claim claim = claims.get(partition);
      all.add(partition);
      if (claim != null && claim.member().equals(member)) {
        own.add(partition);
      } else if (claim != null) {
        othersHoldSome = true;
      }
    }
    return othersHoldSome ? own : all;
  }
}
