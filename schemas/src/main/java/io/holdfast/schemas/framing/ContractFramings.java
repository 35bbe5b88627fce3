package io.holdfast.schemas.framing;

import io.holdfast.schemas.registry.RegistryException;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.settings.Framings.Format;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.ModelTopics;
import io.holdfast.schemas.wire.ContractCodec;
import io.holdfast.schemas.wire.Contracts;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How what we write is framed. Registers our schemas where they are named by what a registry calls
 * them. Thread-safe.
 */
public final class ContractFramings {
  private static final Logger LOG = LoggerFactory.getLogger(ContractFramings.class);

  /** A registry that says no is not asked again by everybody who waits. */
  private static final Duration REFUSED_FOR = Duration.ofSeconds(2);

  private final @Nullable SchemaRegistry registry;
  private final @Nullable SchemaStore store;
  private final Map<Subject, Registered> registered = new HashMap<>();
  private final Map<String, Refusal> refused = new HashMap<>();

  private record Subject(String name, Schema schema) {}

  private record Refusal(RegistryException because, long untilNanos) {}

  /** Without a registry, and with settings that need none. */
  public ContractFramings() {
    this(null, null);
  }

  /** With a registry, of which the store keeps what it says, for when it does not answer. */
  public ContractFramings(@Nullable SchemaRegistry registry, @Nullable SchemaStore store) {
    this.registry = registry;
    this.store = store;
  }

  /**
   * How what comes of a model's records is framed.
   *
   * @throws RegistryException in a sentence, if a schema cannot be registered now
   */
  public WrittenFramings of(ModelSettings model) throws RegistryException {
    ModelTopics topics = model.topics();
    Format scores = topics.framings().scores();
    return new WrittenFramings(
        of(topics.scores(), scores, schema(model, Contracts.SCORE)),
        of(topics.shadowScores(), scores, schema(model, Contracts.SCORE)),
        of(topics.examples(), topics.framings().examples(), schema(model, Contracts.EXAMPLE)));
  }

  /**
   * What a model's scores or examples are written by: the schema before the present one where
   * nothing is asked that only that can say, so that older programs read them.
   */
  public static Schema schema(ModelSettings model, ContractCodec<?> contract) {
    return model.coverage().isEmpty() ? contract.before() : contract.schema();
  }

  /** How values of a topic are framed, as above; waits for the registry if it must. */
  public synchronized ContractFraming of(String topic, Format format, Schema schema)
      throws RegistryException {
    if (registry == null || store == null || !format.needsRegistry()) {
      return ContractFraming.single(schema);
    }
    String subject = registry.settings().subjects().of(topic, schema.getFullName());
    var key = new Subject(subject, schema);
    Registered as = registered.get(key);
    if (as == null) {
      as = register(registry, subject, schema);
      keep(store, topic, as, schema);
      registered.put(key, as);
    }
    return format == Format.CONFLUENT
        ? ContractFraming.numbered(schema, as)
        : ContractFraming.headed(schema, as);
  }

  private Registered register(SchemaRegistry at, String subject, Schema schema)
      throws RegistryException {
    Refusal refusal = refused.get(subject);
    if (refusal != null && System.nanoTime() - refusal.untilNanos < 0) {
      throw refusal.because;
    }
    try {
      return at.register(subject, schema);
    } catch (RegistryException e) {
      boolean down = e.reason() == RegistryException.Reason.UNAVAILABLE;
      Registered before = down && store != null ? store.known(schema) : null;
      if (before != null) {
        LOG.warn("{}; it has number {}, as the registry once said", e.getMessage(), before.id());
        return before;
      }
      refused.put(subject, new Refusal(e, System.nanoTime() + REFUSED_FOR.toNanos()));
      throw e;
    }
  }

  /** For another start, while the registry is down; it works without, until then. */
  @SuppressWarnings("IllegalCatch") // whatever a store throws: nothing waits for it
  private static void keep(SchemaStore store, String topic, Registered as, Schema schema) {
    try {
      var _ = store.keep(topic, new SchemaId.Numbered(as.id()), schema);
      UUID guid = as.guid();
      if (guid != null) {
        var _ = store.keep(topic, new SchemaId.Guid(guid), schema);
      }
    } catch (RuntimeException | MalformedRecordException e) {
      LOG.warn(
          "what the registry calls schema {} is not kept: {}",
          schema.getFullName(),
          e.getMessage());
    }
  }
}
