package io.holdfast.cli.models;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.version.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** What Kafka still holds of keys in a model's topics, and how long. Owned by one thread. */
final class KeptCopies {
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(500);

  private final Settings settings;
  private final Set<Digest> keys;

  /** Messages of the keys in a partition, from the first offset to the last. */
  record Stretch(int partition, long messages, long first, long last) {}

  /**
   * A topic that holds some.
   *
   * @param newest when the newest of them was written
   * @param until what ends it, in a sentence
   */
  record Copies(
      String topic, long messages, List<Stretch> stretches, Instant newest, String until) {}

  KeptCopies(Settings settings, Set<Digest> keys) {
    this.settings = settings;
    this.keys = keys;
  }

  /** The topics that hold some; those that there are not, are passed over. */
  List<Copies> find(ModelSettings model) {
    ModelSettings.ModelTopics topics = model.topics();
    Set<String> names =
        new LinkedHashSet<>(
            List.of(
                topics.records(),
                topics.scores(),
                topics.shadowScores(),
                topics.labels(),
                topics.join(),
                topics.examples(),
                topics.deadLetters()));
    List<Copies> all = new ArrayList<>();
    try (Admin admin = Admin.create(ClientSettings.admin(settings.kafka(), LIMIT));
        var consumer =
            new KafkaConsumer<>(
                consumerSettings(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      names.retainAll(admin.listTopics().names().get());
      for (String name : names) {
        Copies copies = find(admin, consumer, name);
        if (copies != null) {
          all.add(copies);
        }
      }
    } catch (ExecutionException e) {
      throw new TopicException(ClientSettings.explain(settings.kafka(), e.getCause()), e);
    } catch (KafkaException e) {
      throw new TopicException(ClientSettings.explain(settings.kafka(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.copyOf(all);
  }

  private Map<String, Object> consumerSettings() {
    Map<String, Object> plain = new HashMap<>(ClientSettings.consumer(settings.kafka()));
    plain.keySet().removeIf(key -> key.endsWith(".deserializer"));
    return plain;
  }

  private @Nullable Copies find(Admin admin, KafkaConsumer<byte[], byte[]> consumer, String topic)
      throws ExecutionException, InterruptedException {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(each -> new TopicPartition(topic, each.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> left = new HashMap<>(consumer.endOffsets(partitions));
    consumer.seekToBeginning(partitions);
    TreeMap<Integer, Stretch> found = new TreeMap<>();
    long newest = Long.MIN_VALUE;
    left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
    while (!left.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        if (message.key() != null && keys.contains(Digest.of(message.key()))) {
          newest = Math.max(newest, message.timestamp());
          found.merge(
              message.partition(),
              new Stretch(message.partition(), 1, message.offset(), message.offset()),
              (a, b) -> new Stretch(a.partition, a.messages + 1, a.first, b.last));
        }
      }
      left.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
    }
    if (found.isEmpty()) {
      return null;
    }
    long messages = found.values().stream().mapToLong(Stretch::messages).sum();
    Instant at = Instant.ofEpochMilli(newest);
    return new Copies(
        topic, messages, List.copyOf(found.values()), at, until(config(admin, topic), at));
  }

  private static Config config(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin
        .describeConfigs(List.of(resource))
        .all()
        .get()
        .getOrDefault(resource, new Config(List.of()));
  }

  /** Kafka deletes a segment of a log when the newest message in it is old enough. */
  private static String until(Config config, Instant newest) {
    String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
    boolean compacted = policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT);
    long millis =
        policy.contains(TopicConfig.CLEANUP_POLICY_DELETE)
            ? Long.parseLong(value(config, TopicConfig.RETENTION_MS_CONFIG))
            : -1;
    if (compacted) {
      return "compacted: send a tombstone, a message of the key without a value";
    }
    return millis < 0
        ? "kept for ever: set retention.ms, or delete records up to these offsets"
        : Sentence.of(
            "deleted by retention after %s, with the segment of the log that it is in",
            newest.plusMillis(millis));
  }

  private static String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "-1" : entry.value();
  }
}
