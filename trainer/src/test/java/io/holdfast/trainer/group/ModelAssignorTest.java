package io.holdfast.trainer.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ModelAssignorTest {
  private static final int PARTITIONS = 3;
  private static final List<String> TOPICS = List.of("a.examples", "b.examples");
  private final Map<String, Subscription> group = new HashMap<>();

  @Test
  void topic_isGivenWholeToOneMember() {
    join("x", 1, List.of());
    join("y", 1, List.of());

    Map<String, List<TopicPartition>> assigned = assign();

    assertThat(assigned.values()).allSatisfy(own -> assertThat(own).hasSize(PARTITIONS));
    assertThat(assigned.values())
        .allSatisfy(
            own ->
                assertThat(own)
                    .extracting(TopicPartition::topic)
                    .containsOnly(own.getFirst().topic()));
  }

  @Test
  void topic_thatMoves_isGivenToNobodyUntilItsMemberLetItGo() {
    List<TopicPartition> all = new ArrayList<>(partitions("a.examples"));
    all.addAll(partitions("b.examples"));
    join("x", 1, all);
    join("y", 0, List.of());

    Map<String, List<TopicPartition>> first = assign();
    assertThat(first.get("x")).hasSize(PARTITIONS);
    assertThat(first.get("y")).isEmpty();

    join("x", 2, first.getOrDefault("x", List.of()));
    join("y", 2, List.of());
    Map<String, List<TopicPartition>> second = assign();
    assertThat(second.get("x")).isEqualTo(first.get("x"));
    assertThat(second.get("y")).hasSize(PARTITIONS).doesNotContainAnyElementsOf(first.get("x"));
  }

  @Test
  void member_thatClaimsWhatALaterGenerationGaveToAnother_losesIt() {
    join("x", 1, partitions("a.examples"));
    join("y", 5, partitions("a.examples"));

    Map<String, List<TopicPartition>> assigned = assign();

    assertThat(assigned.get("y")).isEqualTo(partitions("a.examples"));
    assertThat(assigned.get("x")).isEqualTo(partitions("b.examples"));
  }

  @Test
  void topic_thatGotMorePartitions_staysWhole() {
    join("x", 1, partitions("a.examples").subList(0, 1));
    group.put(
        "x",
        new Subscription(
            List.of("a.examples"),
            null,
            partitions("a.examples").subList(0, 1),
            1,
            Optional.empty()));

    assertThat(assign().get("x")).isEqualTo(partitions("a.examples"));
  }

  @Test
  void topic_thatIsNotThere_isGivenToNobody() {
    group.put("x", new Subscription(List.of("c.examples")));

    assertThat(assign().get("x")).isEmpty();
  }

  private void join(String member, int generation, List<TopicPartition> owned) {
    group.put(member, new Subscription(TOPICS, null, owned, generation, Optional.empty()));
  }

  private Map<String, List<TopicPartition>> assign() {
    List<PartitionInfo> infos =
        TOPICS.stream()
            .flatMap(topic -> partitions(topic).stream())
            .map(p -> new PartitionInfo(p.topic(), p.partition(), null, new Node[0], new Node[0]))
            .toList();
    var cluster = new Cluster("c", List.of(), infos, Set.of(), Set.of());
    Map<String, List<TopicPartition>> assigned = new HashMap<>();
    Map<String, Assignment> assignments =
        new ModelAssignor().assign(cluster, new GroupSubscription(group)).groupAssignment();
    assignments.forEach((member, assignment) -> assigned.put(member, assignment.partitions()));
    return assigned;
  }

  private static List<TopicPartition> partitions(String topic) {
    return IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)).toList();
  }
}
