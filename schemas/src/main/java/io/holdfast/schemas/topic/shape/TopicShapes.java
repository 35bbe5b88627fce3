package io.holdfast.schemas.topic.shape;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How topics are to be made; a kind of which nothing is said has what is safe on that cluster.
 * Immutable.
 *
 * @param partitions of topics that may have any number; 0 takes the broker's default
 */
public record TopicShapes(
    int partitions,
    Map<TopicKind, Integer> replicas,
    Map<TopicKind, Integer> inStep,
    Map<TopicKind, Duration> retention) {
  /** Survives the loss of one broker while another one is being restarted. */
  private static final int REPLICAS = 3;

  private static final int IN_STEP = 2;

  /** What people look back at; of other topics the broker's own retention holds. */
  private static final Map<TopicKind, Duration> RETENTION =
      Map.of(TopicKind.REPORTS, Duration.ofDays(365), TopicKind.DEAD_LETTERS, Duration.ofDays(30));

  public TopicShapes {
    replicas = Map.copyOf(replicas);
    inStep = Map.copyOf(inStep);
    retention = Map.copyOf(retention);
  }

  /** With nothing said but partitions. */
  public static TopicShapes of(int partitions) {
    return new TopicShapes(partitions, Map.of(), Map.of(), Map.of());
  }

  /**
   * What one topic is made with.
   *
   * @param inStep the replicas that must have a record before it counts as written
   * @param retention nothing if the broker's holds
   */
  public record Shape(int replicas, int inStep, Optional<Duration> retention) {}

  /** How many replicas a topic has by itself. */
  public static int replicasOf(int brokers) {
    return Math.clamp(brokers, 1, REPLICAS);
  }

  /** The shape of a kind on a cluster of that many brokers. */
  public Shape of(TopicKind kind, int brokers) {
    int copies = replicas.getOrDefault(kind, replicasOf(brokers));
    int least = inStep.getOrDefault(kind, Math.clamp(copies - 1, 1, IN_STEP));
    Duration kept = retention.getOrDefault(kind, RETENTION.get(kind));
    return new Shape(copies, least, Optional.ofNullable(kept));
  }
}
