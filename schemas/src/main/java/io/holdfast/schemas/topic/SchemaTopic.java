package io.holdfast.schemas.topic;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.feature.SchemaFit;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.SettingsException;
import io.holdfast.schemas.wire.FieldAliases;
import io.holdfast.schemas.wire.Fingerprint;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import io.holdfast.schemas.wire.SchemaFile;
import io.holdfast.schemas.wire.SchemaSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer schemas from files and from the compacted schema topic (key: {@code <topic>/<fingerprint
 * in hex>}, value: the schema's JSON). Thread-safe.
 *
 * <p>A fingerprint that is not known makes {@link #find} wait, once, until the topic has been read
 * to its present end: the schema may have been registered just before the record. For a few seconds
 * after, the same fingerprint is unknown without waiting.
 *
 * <p>A fingerprint does not cover logical types, so two schemas that differ in those alone cannot
 * be told apart: the first one known stays, and {@link #register} refuses the second, as {@link
 * RegistryStore} does.
 */
public final class SchemaTopic implements SchemaSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaTopic.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
  private static final Duration UNKNOWN_FOR = Duration.ofSeconds(5);
  private static final Duration REGISTER_LIMIT = Duration.ofSeconds(10);
  private static final int MAX_UNKNOWN = 1_000;
  private static final int MAX_SCHEMA_BYTES = 1 << 20;

  /** Before what a registry calls a schema: its own name, a slash, an id. No topic has a slash. */
  private static final String REGISTRY = "registry/";

  /** Schemas of one topic that are told of; records of any others are read all the same. */
  private static final int MAX_OF_TOPIC = 100;

  private final Map<Long, Schema> schemas = new ConcurrentHashMap<>();
  private final Map<String, List<Schema>> registered = new ConcurrentHashMap<>();
  private final Map<String, List<Schema>> fromFiles = new ConcurrentHashMap<>();
  private final Map<String, List<Schema>> known = new ConcurrentHashMap<>();
  private final Map<String, Schema> named = new ConcurrentHashMap<>(); // by a registry
  private final Map<Long, Long> unknownUntilNanos = new ConcurrentHashMap<>();
  private final CompactedTopicReader reader;
  private final Thread thread;
  private volatile long slowUntilNanos = System.nanoTime();

  /** Starts reading on a thread of its own. */
  public SchemaTopic(Map<String, String> kafka, String topic) {
    this(kafka, topic, () -> new KafkaConsumer<>(ClientSettings.consumer(kafka)));
  }

  /** A topic that is read with consumers from elsewhere. */
  SchemaTopic(
      Map<String, String> kafka, String topic, Supplier<Consumer<String, byte[]>> consumers) {
    reader = new CompactedTopicReader(kafka, topic, this::onRecord, consumers);
    thread = Thread.ofPlatform().daemon().name("schema-topic").unstarted(reader);
    thread.start();
  }

  /** Adds a schema known from a file, for records of {@code recordTopic}. */
  public void add(String recordTopic, Schema schema) {
    learn(recordTopic, schema, "a file", fromFiles);
  }

  /** Adds a schema that settings name a file of. */
  public void add(DeclaredSchema declared) {
    add(declared.topic(), declared.schema());
  }

  /**
   * The same schemas, where an unknown fingerprint is acted on: {@code find} throws {@link
   * TopicException} if it only did not hear of it in time.
   */
  public SchemaSource orFail() {
    return fingerprint -> find(fingerprint, true);
  }

  @Override
  public @Nullable Schema find(long fingerprint) {
    return find(fingerprint, false);
  }

  private @Nullable Schema find(long fingerprint, boolean orFail) {
    Schema known = schemas.get(fingerprint);
    if (known != null) {
      return known;
    }
    long now = System.nanoTime();
    Long unknownUntil = unknownUntilNanos.get(fingerprint);
    if (unknownUntil != null && now - unknownUntil < 0) {
      return null;
    }
    // While the broker is slow, one caller's wait tells all others what theirs would bring.
    if (orFail) {
      if (!reader.awaitCaughtUp(REGISTER_LIMIT)) {
        throw new TopicException(
            Sentence.of(
                "the schema topic could not be read to its end within %d s, so that the schema %s"
                    + " may be on it",
                REGISTER_LIMIT.toSeconds(), Fingerprint.hex(fingerprint)));
      }
    } else if (now - slowUntilNanos >= 0 && !reader.awaitCaughtUp(LONGEST_WAIT)) {
      slowUntilNanos = System.nanoTime() + UNKNOWN_FOR.toNanos();
    }
    known = schemas.get(fingerprint);
    if (known == null) {
      if (unknownUntilNanos.size() >= MAX_UNKNOWN) {
        unknownUntilNanos.clear();
      }
      unknownUntilNanos.put(fingerprint, System.nanoTime() + UNKNOWN_FOR.toNanos());
    }
    return known;
  }

  /** The schema registered last for records of that topic, or else added last from a file. */
  public Optional<Schema> latest(String recordTopic) {
    return all(recordTopic).stream().findFirst();
  }

  /** The schemas of that topic's records: those registered, the last first, then those of files. */
  public List<Schema> all(String recordTopic) {
    return known.getOrDefault(recordTopic, List.of());
  }

  private synchronized void learn(
      String recordTopic, Schema read, String source, Map<String, List<Schema>> of) {
    long fingerprint = Fingerprint.of(read);
    Schema schema = theOne(fingerprint, read, source);
    of.put(recordTopic, first(List.of(schema), of.getOrDefault(recordTopic, List.of())));
    known.put(
        recordTopic,
        first(
            registered.getOrDefault(recordTopic, List.of()),
            fromFiles.getOrDefault(recordTopic, List.of())));
    // Last: whoever finds a schema by its fingerprint finds it among its topic's schemas too.
    schemas.put(fingerprint, schema);
    unknownUntilNanos.remove(fingerprint);
  }

  private static List<Schema> first(List<Schema> some, List<Schema> others) {
    return Stream.concat(some.stream(), others.stream()).distinct().limit(MAX_OF_TOPIC).toList();
  }

  /** The schema that a registry has under that name; null if nobody has kept it here. */
  @Nullable Schema named(String name) {
    Schema known = named.get(REGISTRY + name);
    if (known == null && reader.awaitCaughtUp(LONGEST_WAIT)) {
      known = named.get(REGISTRY + name);
    }
    return known;
  }

  /** What a registry calls a schema: the names after {@code prefix}, which is its own. */
  List<String> names(String prefix, Schema schema) {
    boolean _ = reader.awaitCaughtUp(LONGEST_WAIT);
    long fingerprint = Fingerprint.of(schema);
    return named.entrySet().stream()
        .filter(one -> one.getKey().startsWith(REGISTRY + prefix))
        .filter(one -> Fingerprint.of(one.getValue()) == fingerprint)
        .map(one -> one.getKey().substring(REGISTRY.length() + prefix.length()))
        .toList();
  }

  /**
   * Puts a schema of values of a topic on the schema topic, if that is there and has it not yet.
   *
   * @return whether it is on the topic now
   * @throws TopicException in one sentence if the broker does not take it
   */
  boolean offer(Map<String, String> kafka, String topic, String valueTopic, Schema schema) {
    if (!reader.awaitCaughtUp(LONGEST_WAIT)) {
      return false;
    }
    long fingerprint = Fingerprint.of(schema);
    boolean there =
        registered.getOrDefault(valueTopic, List.of()).stream()
            .anyMatch(known -> Fingerprint.of(known) == fingerprint);
    if (!there) {
      send(kafka, topic, Map.of(key(valueTopic, schema), schema));
    }
    return true;
  }

  /**
   * Keeps a schema for records of a topic, which a registry has under that name; on the topic too,
   * where it is not there yet.
   *
   * @return the one instance for its fingerprint
   * @throws TopicException in one sentence if the broker does not take it
   * @throws MalformedRecordException if one that differs in logical types has its fingerprint
   */
  Schema keep(Map<String, String> kafka, String topic, Kept kept) throws MalformedRecordException {
    Schema schema = kept.schema();
    theOne(topic, kept);
    Map<String, Schema> lacking = new LinkedHashMap<>();
    if (!registered.getOrDefault(kept.recordTopic(), List.of()).contains(schema)) {
      lacking.put(key(kept.recordTopic(), schema), schema);
    }
    if (!named.containsKey(REGISTRY + kept.name())) {
      lacking.put(REGISTRY + kept.name(), schema); // last: who finds it may use it
    }
    if (!lacking.isEmpty()) {
      send(kafka, topic, lacking);
      learn(kept.recordTopic(), schema, "the registry", registered);
      learn(REGISTRY + kept.name(), schema);
    }
    return theOne(topic, kept); // another may have become it meanwhile
  }

  private Schema theOne(String topic, Kept kept) throws MalformedRecordException {
    Schema known = schemas.getOrDefault(Fingerprint.of(kept.schema()), kept.schema());
    if (!sameLogicalTypes(known, kept.schema())) {
      throw new MalformedRecordException(
          Reason.INCOMPATIBLE_SCHEMA, differs(topic, key(kept.recordTopic(), kept.schema())));
    }
    return known;
  }

  /** A schema of records of a topic, and what a registry calls it. */
  record Kept(String recordTopic, String name, Schema schema) {}

  private synchronized void learn(String key, Schema read) {
    long fingerprint = Fingerprint.of(read);
    Schema schema = theOne(fingerprint, read, "a registry");
    schemas.put(fingerprint, schema);
    // One that differs stays what it is, for keep to refuse: its records are not the other's.
    named.put(key, sameLogicalTypes(schema, read) ? schema : read);
    unknownUntilNanos.remove(fingerprint);
  }

  /** Waits until everything registered before this call is known; false if it took longer. */
  public boolean awaitCaughtUp(Duration limit) {
    return reader.awaitCaughtUp(limit);
  }

  /**
   * Holds each model's settings against the schemas of its records that are known already.
   *
   * @throws SettingsException with a sentence for each mistake, if no model's settings fit any of
   *     its schemas; one that fits can work, whatever is wrong with the others
   */
  public void check(Collection<ModelSettings> models) {
    reader.awaitCaughtUp(LONGEST_WAIT);
    List<String> problems = new ArrayList<>();
    for (ModelSettings model : models) {
      List<String> ofModel = SchemaFit.settingsProblems(model, all(model.topics().records()));
      if (ofModel.isEmpty()) {
        return;
      }
      ofModel.forEach(problem -> problems.add("model " + model.name() + ": " + problem));
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
  }

  /**
   * Registers a schema for records of a topic, which makes it the latest, and waits for the broker.
   *
   * @throws TopicException in one sentence if the broker does not take it, or if another schema
   *     with the same fingerprint is registered for the topic
   */
  public static void register(
      Map<String, String> kafka, String schemaTopic, String recordTopic, Schema schema) {
    String key = key(recordTopic, schema);
    refuseOther(kafka, schemaTopic, key, schema);
    send(kafka, schemaTopic, Map.of(key, schema));
  }

  private static void send(
      Map<String, String> kafka, String schemaTopic, Map<String, Schema> schemas) {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(ClientSettings.producer(kafka, REGISTER_LIMIT))) {
      for (Map.Entry<String, Schema> each : schemas.entrySet()) {
        byte[] json = each.getValue().toString().getBytes(StandardCharsets.UTF_8);
        producer
            .send(new ProducerRecord<>(schemaTopic, 0, each.getKey(), json))
            .get(2 * REGISTER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException | KafkaException | TimeoutException | InterruptedException e) {
      String problem = ClientSettings.failure(kafka, e).getMessage();
      throw new TopicException(
          Sentence.of("a schema cannot be registered in topic %s: %s", schemaTopic, problem), e);
    }
  }

  private static void refuseOther(
      Map<String, String> kafka, String schemaTopic, String key, Schema schema) {
    byte[][] present = new byte[1][];
    CompactedTopicReader.Listener listener =
        record -> {
          if (key.equals(record.key())) {
            present[0] = record.value();
          }
        };
    try (CompactedTopicReader all = new CompactedTopicReader(kafka, schemaTopic, listener)) {
      all.readToEnd(REGISTER_LIMIT);
    }
    Optional<Schema> other = present[0] == null ? Optional.empty() : parse(present[0]);
    if (other.isPresent() && !sameLogicalTypes(other.get(), schema)) {
      throw new TopicException(differs(schemaTopic, key));
    }
  }

  private static String differs(String schemaTopic, String key) {
    return Sentence.of(
        "the schema topic %s already has a schema %s that differs only in logical types, which"
            + " Avro's fingerprint does not tell apart: rename a field or the record",
        schemaTopic, key);
  }

  private static String key(String recordTopic, Schema schema) {
    return recordTopic + "/" + Fingerprint.hex(Fingerprint.of(schema));
  }

  /** Takes a record of the topic: what it holds is learned, or passed over with a warning. */
  void onRecord(ConsumerRecord<String, byte[]> record) {
    String key = record.key();
    byte[] value = record.value();
    int slash = key == null ? -1 : key.lastIndexOf('/');
    if (slash < 1) {
      LOG.warn("{} has a record whose key names no topic and fingerprint: {}", record.topic(), key);
      return;
    }
    String recordTopic = key.substring(0, slash);
    if (value == null) {
      return; // A tombstone takes nothing away: records that were written with it may still come.
    }
    Optional<Schema> schema = parse(value);
    if (recordTopic.startsWith(REGISTRY) && schema.isPresent()) {
      learn(key, schema.get());
    } else if (schema.isEmpty() || !key.equals(key(recordTopic, schema.get()))) {
      LOG.warn("{} holds no schema of that fingerprint under the key {}", record.topic(), key);
    } else {
      learn(recordTopic, schema.get(), record.topic(), registered);
    }
  }

  private static Optional<Schema> parse(byte[] json) {
    if (json.length > MAX_SCHEMA_BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(SchemaFile.parse(new String(json, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The one instance for the schema's fingerprint, which does not cover aliases. */
  private Schema theOne(long fingerprint, Schema schema, String source) {
    Schema first = schemas.get(fingerprint);
    if (first == null) {
      return schema;
    }
    if (!sameLogicalTypes(first, schema)) {
      LOG.warn(
          "a schema {} from {} differs in logical types from one known before with the same"
              + " fingerprint {}; the first one stays",
          schema.getFullName(),
          source,
          Fingerprint.hex(fingerprint));
      return first;
    }
    return FieldAliases.same(first, schema) ? first : schema; // another: a field was renamed
  }

  /** Whether two schemas of one fingerprint mean the same; docs and defaults do not matter. */
  private static boolean sameLogicalTypes(Schema a, Schema b) {
    return LogicalTypes.of(a).equals(LogicalTypes.of(b));
  }

  @Override
  public void close() {
    reader.close();
    try {
      thread.join(LONGEST_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
