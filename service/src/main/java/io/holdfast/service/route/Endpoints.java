package io.holdfast.service.route;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.trouble.Troubles;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/** Adds sources of bytes, and sinks that write to the partition that {@link Outgoing} names. */
public final class Endpoints {
  private static final ConcurrentMap<Integer, Optional<Set<Integer>>> PARTITIONS =
      new ConcurrentHashMap<>();

  private Endpoints() {}

  /** A source of a topic that is read from its beginning, on behalf of {@code models}. */
  public static void addSource(
      Topology topology, String name, String topic, List<String> models, Troubles troubles) {
    topology.addSource(
        AutoOffsetReset.earliest(),
        name,
        new RecordTime(models, troubles),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topic);
  }

  /** A sink for a topic with as many partitions as the source: equal keys stay joined. */
  public static void addSamePartition(
      Topology topology, String name, String topic, String... parents) {
    add(topology, name, topic, (_, key, _, partitions) -> same(topic, key, partitions), parents);
  }

  /** A sink for a topic that may have fewer partitions than the source. */
  public static void addAnyPartition(
      Topology topology, String name, String topic, String... parents) {
    add(topology, name, topic, (_, key, _, partitions) -> any(key, partitions), parents);
  }

  /** A sink for a topic whose partition is given, or is that of the key whoever writes. */
  public static void addByKey(Topology topology, String name, String topic, String... parents) {
    add(
        topology,
        name,
        topic,
        (_, key, _, partitions) ->
            key.partition() == Outgoing.BY_KEY ? byKey(key, partitions) : any(key, partitions),
        parents);
  }

  private static void add(
      Topology topology,
      String name,
      String topic,
      StreamPartitioner<Outgoing, byte[]> partitioner,
      String... parents) {
    topology.addSink(name, topic, KEY, new ByteArraySerializer(), partitioner, parents);
  }

  private static final Serializer<Outgoing> KEY =
      new Serializer<>() {
        @Override
        @SuppressWarnings("NullAway") // Kafka's serializers may give null: no key
        public byte @Nullable [] serialize(String topic, Outgoing data) {
          return data.key();
        }
      };

  static Optional<Set<Integer>> same(String topic, Outgoing key, int partitions) {
    if (key.partition() >= partitions) {
      throw new IllegalStateException(
          Sentence.of(
              "topic %s has %d partitions and lacks partition %d of its source topic: give both the"
                  + " same number",
              topic, partitions, key.partition()));
    }
    return only(key.partition());
  }

  static Optional<Set<Integer>> any(Outgoing key, int partitions) {
    return only(key.partition() % partitions);
  }

  /** As Kafka's own producer hashes: a topic of ours can be read with the usual tools. */
  static Optional<Set<Integer>> byKey(Outgoing key, int partitions) {
    byte[] bytes = key.key();
    if (bytes == null) {
      throw new IllegalArgumentException("a message without a key has no partition by its key");
    }
    return only(BuiltInPartitioner.partitionForKey(bytes, partitions));
  }

  private static Optional<Set<Integer>> only(int partition) {
    return PARTITIONS.computeIfAbsent(partition, number -> Optional.of(Set.of(number)));
  }
}
