package io.holdfast.trainer.runtime;

import io.holdfast.schemas.framing.ContractFraming;
import io.holdfast.schemas.framing.ContractFramings;
import io.holdfast.schemas.ledger.Ledger;
import io.holdfast.schemas.registry.RegistryException;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.settings.KafkaKeys;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.ClientSettings;
import io.holdfast.schemas.topic.DeclaredSchema;
import io.holdfast.schemas.topic.OwnSchemas;
import io.holdfast.schemas.topic.RegistryStore;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.topic.TopicException;
import io.holdfast.schemas.topic.TopicInspector;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.SchemaSource;
import io.holdfast.trainer.group.ModelAssignor;
import io.holdfast.trainer.publish.ReportFramings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Access to the settings' broker. Thread-safe; follows the schema topic until closed. */
public final class KafkaClients implements KafkaAccess {
  /** How long it takes at most to find a topic that was missing or made anew. */
  private static final int MEMBER_METADATA_MILLIS = 30_000;

  private static final Duration SCHEMA_LIMIT = Duration.ofSeconds(2);
  private static final int BLOCK_MILLIS = 10_000;
  private static final int LONGEST_HEARTBEAT_MILLIS = 1_000;

  /** How long a rebalance waits for a live member that does not poll. */
  private static final int MEMBER_POLL_MILLIS = 30_000;

  private final Settings settings;
  private final SchemaTopic schemas;
  private final LedgerReads ledgers;
  private final @Nullable SchemaRegistry registry;
  private final ContractFramings written;
  private final OwnSchemas own;
  private @Nullable TopicInspector inspector; // guarded by this

  /**
   * Reads the models' schema files.
   *
   * @throws io.holdfast.schemas.settings.SettingsException if a schema file cannot be read
   */
  public KafkaClients(Settings settings) {
    this.settings = settings;
    ledgers = new LedgerReads(settings);
    List<DeclaredSchema> known = new ArrayList<>(); // read before the schema topic's thread starts
    for (ModelSettings model : settings.models().values()) {
      known.addAll(DeclaredSchema.of(model));
    }
    schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas());
    known.forEach(schemas::add);
    Registry at = settings.registry();
    String topic = settings.topics().schemas();
    registry = at == null ? null : new SchemaRegistry(at, failure -> {});
    written =
        at == null
            ? new ContractFramings()
            : new ContractFramings(
                registry, new RegistryStore(schemas, settings.kafka(), topic, at));
    own = new OwnSchemas(schemas, settings.kafka(), topic, own(settings.topics()));
  }

  private static Map<String, List<Schema>> own(Settings.SharedTopics topics) {
    return Map.of(
        topics.reports(),
        Contracts.REPORT.written(),
        topics.models(),
        Stream.of(
                Contracts.SEGMENT,
                Contracts.BINS,
                Contracts.REFERENCE,
                Contracts.MANIFEST,
                Contracts.HEAD)
            .flatMap(contract -> contract.written().stream())
            .toList());
  }

  /** Begins to put the trainer's own schemas on the schema topic. */
  void offerSchemas() {
    own.start();
  }

  /**
   * Checks the models' settings against the known schemas of their records.
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
            "read_committed",
            // gaps must be seen, not skipped
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "none"));
  }

  @Override
  public Consumer<byte[], byte[]> openMember() {
    Settings.Trainer trainer = settings.trainer();
    Map<String, Object> config = new HashMap<>();
    config.put(ConsumerConfig.GROUP_ID_CONFIG, trainer.group());
    config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, GroupProtocol.CLASSIC.name());
    config.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(ModelAssignor.class));
    int sessionMillis = (int) trainer.sessionTimeout().toMillis();
    config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, sessionMillis);
    config.put( // members hear of a rebalance by their heartbeats
        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
        Math.min(LONGEST_HEARTBEAT_MILLIS, sessionMillis / 4));
    config.put(
        ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Math.max(MEMBER_POLL_MILLIS, sessionMillis));
    if (!KafkaKeys.consumer(settings.kafka()).containsKey(ConsumerConfig.METADATA_MAX_AGE_CONFIG)) {
      config.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, MEMBER_METADATA_MILLIS);
    }
    if (trainer.instanceId() != null) {
      config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, trainer.instanceId());
    }
    return consumer(config);
  }

  @Override
  public Producer<byte[], byte[]> openProducer(String transactionalId) {
    Map<String, Object> config = new HashMap<>(KafkaKeys.producer(settings.kafka()));
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
    config.putIfAbsent(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.max(4 << 20, settings.maxMessageBytes()));
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Ledger readLedger(String model) {
    return ledgers.read(model);
  }

  @Override
  public Map<String, Uuid> topicIds(Set<String> topics) {
    Map<String, Uuid> ids = new HashMap<>();
    inspector().look(topics).forEach((name, topic) -> ids.put(name, topic.id()));
    return ids;
  }

  private synchronized TopicInspector inspector() {
    if (inspector == null) {
      inspector = new TopicInspector(settings);
    }
    return inspector;
  }

  @Override
  public String explain(KafkaException error) {
    return ClientSettings.explain(settings.kafka(), error);
  }

  @Override
  public ReportFramings reports() {
    return new ReportFramings(this::reports);
  }

  private ContractFraming reports(Schema schema) {
    Registry at = settings.registry();
    try {
      return at == null
          ? ContractFraming.single(schema)
          : written.of(settings.topics().reports(), at.reports(), schema);
    } catch (RegistryException e) {
      throw new TopicException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public SchemaSource schemas() {
    return schemas.orFail(); // a row that is called unusable is lost to training
  }

  @Override
  public List<Schema> recordSchemas(String recordTopic) {
    return schemas.awaitCaughtUp(SCHEMA_LIMIT) ? schemas.all(recordTopic) : List.of();
  }

  @Override
  public void close() {
    own.close();
    schemas.close();
    if (registry != null) {
      registry.close();
    }
    synchronized (this) {
      if (inspector != null) {
        inspector.close();
      }
    }
  }

  private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(KafkaKeys.consumer(settings.kafka()));
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.putAll(more);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
