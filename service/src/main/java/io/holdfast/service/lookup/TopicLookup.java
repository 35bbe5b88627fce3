package io.holdfast.service.lookup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.settings.KafkaKeys;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.TopicException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads the ends of a model's topics anew for each request, one at a time. Thread-safe. */
public final class TopicLookup implements RecordLookup {
  private static final int LOOKED = 20_000;
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(8);

  private final Settings settings;
  private final TopicFramings framings;
  private final Semaphore turn = new Semaphore(1);

  public TopicLookup(Settings settings, TopicFramings framings) {
    this.settings = settings;
    this.framings = framings;
  }

  @Override
  public Found find(String name, String key) {
    ModelSettings model = settings.model(name);
    if (!turn.tryAcquire()) {
      throw new TopicException("another record is being looked for: try again in a moment");
    }
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      Sighting record = newest(consumer, model.topics().records(), key, framings.records(model));
      Sighting label =
          model.labels() instanceof Labels.InTopic
              ? newest(consumer, model.topics().labels(), key, framings.labels(model))
              : null;
      return new Found(record, label, LOOKED);
    } catch (KafkaException e) {
      throw new TopicException(
          "the record cannot be looked for: " + ClientSettings.explain(settings.kafka(), e), e);
    } finally {
      turn.release();
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    Map<String, Object> keys = new HashMap<>(KafkaKeys.consumer(settings.kafka()));
    keys.remove(ConsumerConfig.GROUP_ID_CONFIG);
    keys.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    keys.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    keys.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    keys.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return new KafkaConsumer<>(keys, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static @Nullable Sighting newest(
      KafkaConsumer<byte[], byte[]> consumer, String topic, String key, RecordFraming framing) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic, LIMIT).stream()
            .map(one -> new TopicPartition(topic, one.partition()))
            .toList();
    consumer.assign(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, LIMIT);
    long each = LOOKED / Math.max(1, partitions.size());
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, LIMIT);
    for (TopicPartition one : partitions) {
      consumer.seek(one, Math.max(begins.getOrDefault(one, 0L), ends.getOrDefault(one, 0L) - each));
    }
    byte[] wanted = key.getBytes(UTF_8);
    ConsumerRecord<byte[], byte[]> found = null;
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < deadline
        && partitions.stream()
            .anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (Arrays.equals(record.key(), wanted)
            && (found == null || record.timestamp() >= found.timestamp())) {
          found = record;
        }
      }
    }
    return found == null ? null : sighting(found, framing);
  }

  private static Sighting sighting(ConsumerRecord<byte[], byte[]> record, RecordFraming framing) {
    DecodedValue decoded = DecodedValue.of(framing, record.value(), record.headers());
    return new Sighting(
        record.topic(),
        record.partition(),
        record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        decoded.json(),
        decoded.problem());
  }
}
