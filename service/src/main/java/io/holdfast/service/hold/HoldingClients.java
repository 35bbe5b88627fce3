package io.holdfast.service.hold;

import io.holdfast.schemas.framing.RecordFraming;
import io.holdfast.service.resume.ResumePoints;
import io.holdfast.service.resume.SourceTopics;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka Streams' own clients, but for the consumer that polls records, which holds back those whose
 * schema is not known. Thread-safe.
 */
public final class HoldingClients implements KafkaClientSupplier {
  private final String topic;
  private final RecordFraming framing;
  private final HeldPartitions held;
  private final ResumePoints points;
  private final SourceTopics sources;

  /** Clients that read from the beginning where nothing is committed. */
  public HoldingClients(String topic, RecordFraming framing, HeldPartitions held) {
    this(topic, framing, held, ResumePoints.BEGINNING, new SourceTopics(_ -> Map.of()));
  }

  HoldingClients(
      String topic,
      RecordFraming framing,
      HeldPartitions held,
      ResumePoints points,
      SourceTopics sources) {
    this.topic = topic;
    this.framing = framing;
    this.held = held;
    this.points = points;
    this.sources = sources;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new HoldingConsumer(config, topic, framing, held, points, sources);
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
