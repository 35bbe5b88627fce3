package io.holdfast.cli.registry;

import static io.holdfast.cli.registry.RideSchemas.PLAIN;
import static io.holdfast.cli.registry.RideSchemas.RIDE;

import io.holdfast.cli.kafka.EmbeddedBroker;
import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.TopicCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker with the topics of some models, and a schema registry that is a real one. */
final class RegistryWorld implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);
  static final int PARTITIONS = 2;

  private final RegistryServer registry;
  private final EmbeddedBroker broker;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Path config;
  private final Settings settings;

  /**
   * Starts both.
   *
   * @param models their YAML; {@code ride.avsc} and {@code plain.avsc} lie beside it
   */
  RegistryWorld(Path folder, String models) throws Exception {
    registry = new RegistryServer(folder.resolve("registry"));
    registry.start();
    broker = EmbeddedBroker.start(folder.resolve("kafka"), 0);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    Files.writeString(folder.resolve("ride.avsc"), RIDE.toString());
    Files.writeString(folder.resolve("plain.avsc"), PLAIN.toString());
    config =
        Files.writeString(
            folder.resolve("holdfast.yml"),
            Sentence.of(
                    """
                    kafka: { bootstrap.servers: '%s' }
                    holdfast:
                      service: { port: 0, stateDirectory: '%s' }
                      trainer: { port: 0 }
                      registry:
                        urls: ['%s']
                        timeout: 2s
                        subjects: topic-record
                        reports: confluent-header
                      models:
                    """,
                    broker.bootstrapServers(), folder.resolve("state"), registry.url())
                + models.indent(4));
    settings = Settings.read(config, Map.of());
    TopicCheck.create(settings, PARTITIONS);
  }

  RegistryServer registry() {
    return registry;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  Path config() {
    return config;
  }

  Settings settings() {
    return settings;
  }

  /** Sends a record; into any partition with null. */
  void send(
      String topic, @Nullable Integer partition, byte[] key, RecordHeaders headers, byte[] value) {
    var _ = producer.send(new ProducerRecord<>(topic, partition, null, key, value, headers));
  }

  /** All committed records of a topic, up to where it ends now. */
  List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "isolation.level",
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList());
      consumer.seekToBeginning(consumer.assignment());
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  @Override
  public void close() {
    producer.close();
    broker.close();
    registry.close();
  }
}
