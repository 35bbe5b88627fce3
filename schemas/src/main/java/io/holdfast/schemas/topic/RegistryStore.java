package io.holdfast.schemas.topic;

import io.holdfast.schemas.framing.SchemaStore;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.registry.SchemaRegistry.Registered;
import io.holdfast.schemas.settings.Registry;
import io.holdfast.schemas.version.Digest;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Keeps a registry's schemas on the schema topic. Thread-safe. */
public final class RegistryStore implements SchemaStore {
  private static final int PREFIX = 12;
  private static final int GUID_LENGTH = 36;

  private final SchemaTopic schemas;
  private final Map<String, String> kafka;
  private final String topic;
  private final String registry;

  /** A store on {@code topic}, which {@code schemas} follows, of what a registry has. */
  public RegistryStore(
      SchemaTopic schemas, Map<String, String> kafka, String topic, Registry registry) {
    this.schemas = schemas;
    this.kafka = kafka;
    this.topic = topic;
    this.registry = digest(registry.urls());
  }

  /** What stands for a registry in the names of its schemas. */
  static String digest(List<URI> urls) {
    String sorted = urls.stream().map(Object::toString).sorted().collect(Collectors.joining(" "));
    return Digest.of(sorted.getBytes(StandardCharsets.UTF_8)).hex().substring(0, PREFIX);
  }

  @Override
  public @Nullable Schema find(SchemaId id) {
    return schemas.named(name(id));
  }

  @Override
  public Schema keep(String recordTopic, SchemaId id, Schema schema)
      throws MalformedRecordException {
    return schemas.keep(kafka, topic, new SchemaTopic.Kept(recordTopic, name(id), schema));
  }

  @Override
  public @Nullable Registered known(Schema schema) {
    Integer number = null;
    UUID guid = null;
    for (String name : schemas.names(registry + "/", schema)) {
      if (name.length() == GUID_LENGTH) {
        guid = UUID.fromString(name);
      } else {
        number = Integer.valueOf(name);
      }
    }
    return number == null ? null : new Registered(number, guid);
  }

  private String name(SchemaId id) {
    return registry + "/" + id;
  }
}
