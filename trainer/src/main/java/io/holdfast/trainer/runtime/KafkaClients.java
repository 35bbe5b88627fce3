package io.holdfast.trainer.runtime;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The broker that the settings name. Thread-safe; follows the schema topic until closed. */
public final class KafkaClients implements KafkaAccess {
  private static final Duration LEDGER_LIMIT = Duration.ofSeconds(10);
  private static final Duration SCHEMA_LIMIT = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int SHORT_WAIT_MILLIS = 20;
  private static final int BLOCK_MILLIS = 10_000;

  private final Settings settings;
  private final SchemaTopic schemas;

  /**
   * Access with the settings' {@code kafka.*} and the models' schema files.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if a schema file cannot be read
   */
  public KafkaClients(Settings settings) {
    this.settings = settings;
    record Known(String topic, Schema schema) {}
    List<Known> known = new ArrayList<>(); // read before the schema topic's thread starts
    for (ModelSettings model : settings.models().values()) {
      for (Path file : model.schemas()) {
        known.add(new Known(model.topics().records(), SchemaFile.read(file)));
      }
    }
    schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas());
    known.forEach(each -> schemas.add(each.topic(), each.schema()));
  }

  /**
   * Holds the models' settings against the schemas of their records that are known already.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if they do not fit
   */
  void checkSchemas() {
    schemas.check(settings.models().values());
  }

  @Override
  public Consumer<byte[], byte[]> openConsumer(String group) {
    return consumer(
        Map.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            group,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed"));
  }

  @Override
  public Producer<byte[], byte[]> openProducer(String transactionalId) {
    Map<String, Object> config = new HashMap<>(settings.kafka());
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Ledger readLedger() {
    /*
     * All models share the topic's one partition, and a reader of committed records sees nothing
     * behind another model's open transaction. So the end to reach is the one that counts records of
     * open transactions too: a ledger that lacks the model's newest version would grow a second one
     * with its number.
     */
    var partition = new TopicPartition(settings.topics().models(), 0);
    Ledger ledger = new Ledger();
    try (Consumer<byte[], byte[]> all =
            consumer(Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted"));
        Consumer<byte[], byte[]> committed =
            consumer(
                Map.of(
                    ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                    "read_committed",
                    ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, // nothing new is waited for
                    SHORT_WAIT_MILLIS))) {
      long end = all.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      committed.assign(List.of(partition));
      committed.seekToBeginning(List.of(partition));
      long deadline = System.nanoTime() + LEDGER_LIMIT.toNanos();
      while (committed.position(partition) < end) {
        if (System.nanoTime() - deadline > 0) {
          throw new TopicException(
              Sentence.of(
                  "the topic %s could not be read to offset %d within %d s: a transaction on it is"
                      + " still open, or the broker is slow",
                  partition.topic(), end, LEDGER_LIMIT.toSeconds()));
        }
        for (ConsumerRecord<byte[], byte[]> record : committed.poll(POLL)) {
          if (record.key() != null) {
            ledger.apply(new String(record.key(), StandardCharsets.UTF_8), record.value());
          }
        }
      }
    }
    return ledger;
  }

  @Override
  public SchemaSource schemas() {
    return schemas;
  }

  @Override
  public Optional<Schema> latestSchema(String recordTopic) {
    return schemas.awaitCaughtUp(SCHEMA_LIMIT) ? schemas.latest(recordTopic) : Optional.empty();
  }

  @Override
  public void close() {
    schemas.close();
  }

  private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(settings.kafka());
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.putAll(more);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
