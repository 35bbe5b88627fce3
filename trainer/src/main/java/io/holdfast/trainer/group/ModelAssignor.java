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
 * Gives all partitions of a topic, which are one model's examples, to one member of the group; as
 * many models to each as can be, and with as few moves. Stateless; made by Kafka's consumer.
 *
 * <p>Members may subscribe to different topics. A model that moves is given to nobody at first: its
 * trainer lets go of it, which makes the group share again, and only then the next one gets it
 * (Kafka's cooperative protocol). All other models are trained on meanwhile.
 */
public final class ModelAssignor implements ConsumerPartitionAssignor {
  private static final BinaryOperator<String> ONE_OF_TWO =
      BinaryOperator.minBy(Comparator.naturalOrder());

  /** Who claims a partition, and since which generation of the group. */
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
          claim(claims, member, subscription);
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

  /** Of two members that claim the same, the one counts that shared last. */
  private static void claim(
      Map<TopicPartition, Claim> claims, String member, Subscription subscription) {
    var claim = new Claim(member, subscription.generationId().orElse(-1));
    for (TopicPartition partition : subscription.ownedPartitions()) {
      claims.merge(partition, claim, (a, b) -> a.generation() >= b.generation() ? a : b);
    }
  }

  /** The topic's partitions; only those that are the member's already while others hold some. */
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
