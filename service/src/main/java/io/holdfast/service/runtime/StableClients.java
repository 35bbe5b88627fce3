package io.holdfast.service.runtime;

import io.holdfast.service.hold.HoldingClients;
import io.holdfast.service.resume.ResumePoints;
import io.holdfast.service.resume.ResumingConsumer;
import io.holdfast.service.resume.SourceTopics;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A topology's clients, whose transactional ids are the same after a restart: the first thing that
 * an instance does is to end the transaction that it had open when it was killed. Kafka Streams
 * names transactions at random, so that the broker has to wait for the old one's time-out, 10 to 20
 * s, before anybody may know where to go on. Thread-safe.
 */
final class StableClients implements KafkaClientSupplier {
  private final String prefix;
  private final @Nullable HoldingClients holding;
  private final ResumePoints points;
  private final SourceTopics sources;

  /** {@code holding} null: records are not held back. */
  StableClients(
      String applicationId,
      String instance,
      @Nullable HoldingClients holding,
      ResumePoints points,
      SourceTopics sources) {
    this.prefix = transactionsOf(applicationId) + instance;
    this.holding = holding;
    this.points = points;
    this.sources = sources;
  }

  /** What transactional ids of a topology begin with; an instance's id in its group follows. */
  static String transactionsOf(String applicationId) {
    return applicationId + "/";
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    Map<String, Object> named = new HashMap<>(config);
    String random = String.valueOf(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
    String thread = random.substring(random.lastIndexOf('-')); // as the consumer's id ends, too
    named.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, prefix + thread);
    return new KafkaProducer<>(named, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return holding == null
        ? new ResumingConsumer(config, points, sources)
        : holding.getConsumer(config);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return consumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return consumer(config);
  }

  private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
