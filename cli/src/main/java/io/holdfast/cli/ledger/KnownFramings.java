package io.holdfast.cli.ledger;

import io.holdfast.schemas.framing.SchemaStore;
import io.holdfast.schemas.framing.TopicFramings;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.settings.Settings;
import io.holdfast.schemas.topic.DeclaredSchema;
import io.holdfast.schemas.topic.RegistryStore;
import io.holdfast.schemas.topic.SchemaTopic;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** How topics are framed, for a command that writes nothing. Owned by one thread. */
public final class KnownFramings implements AutoCloseable {
  private final @Nullable SchemaRegistry registry;
  private final TopicFramings framings;

  /** The schemas of a model's records that are known now, and those that come while it is open. */
  public static SchemaTopic schemas(Settings settings, ModelSettings model) {
    return schemas(settings, List.of(model));
  }

  /** The same of several models' records. */
  public static SchemaTopic schemas(Settings settings, Collection<ModelSettings> models) {
    var schemas = new SchemaTopic(settings.kafka(), settings.topics().schemas());
    models.forEach(model -> DeclaredSchema.of(model).forEach(schemas::add));
    schemas.awaitCaughtUp(Duration.ofSeconds(10));
    return schemas;
  }

  public KnownFramings(Settings settings, SchemaTopic schemas) {
    var single = new SingleObjectFraming(schemas);
    Registry at = settings.registry();
    if (at == null) {
      registry = null;
      framings = new TopicFramings(single);
    } else {
      registry = new SchemaRegistry(at, failure -> {});
      var kept = new RegistryStore(schemas, settings.kafka(), settings.topics().schemas(), at);
      framings = new TopicFramings(single, registry, new ReadOnly(kept));
    }
  }

  public TopicFramings framings() {
    return framings;
  }

  private record ReadOnly(SchemaStore kept) implements SchemaStore {
    @Override
    public @Nullable Schema find(SchemaId id) {
      return kept.find(id);
    }

    @Override
    public Schema keep(String topic, SchemaId id, Schema schema) {
      return schema;
    }

    @Override
    public @Nullable Registered known(Schema schema) {
      return kept.known(schema);
    }
  }

  @Override
  public void close() {
    if (registry != null) {
      registry.close();
    }
  }
}
