package io.holdfast.schemas.framing;

import io.holdfast.schemas.registry.SchemaRegistry;
import io.holdfast.schemas.settings.Framings;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.SchemaFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The framings of the topics that models read, by their settings. Thread-safe. */
public final class TopicFramings {
  private final Framing single;
  private final @Nullable SchemaRegistry registry;
  private final @Nullable SchemaStore store;
  private final Map<String, RegisteredSchemas> registered = new ConcurrentHashMap<>();

  /** Without a registry. */
  public TopicFramings(Framing single) {
    this(single, null, null);
  }

  /** With a registry, of which the store keeps what it says. */
  public TopicFramings(
      Framing single, @Nullable SchemaRegistry registry, @Nullable SchemaStore store) {
    this.single = single;
    this.registry = registry;
    this.store = store;
  }

  /** That of values within Holdfast. */
  public Framing single() {
    return single;
  }

  /** That of a model's records, or a SettingsException if their schema cannot be read. */
  public RecordFraming records(ModelSettings model) {
    return of(model.topics().records(), model.topics().framings().records());
  }

  /** That of a model's labels, in a topic of their own. */
  public RecordFraming labels(ModelSettings model) {
    return of(model.topics().labels(), model.topics().framings().labels());
  }

  /** That of a topic that nobody has said anything of. */
  public RecordFraming detected(String topic) {
    return of(topic, Framings.DETECTED.records());
  }

  private RecordFraming of(String topic, Framings.Read read) {
    return new TopicFraming(format(read), single, schemas(topic));
  }

  private @Nullable RegisteredSchemas schemas(String topic) {
    SchemaRegistry asked = registry;
    SchemaStore kept = store;
    return asked == null || kept == null
        ? null
        : registered.computeIfAbsent(topic, name -> new RegisteredSchemas(name, asked, kept));
  }

  private static WireFormat format(Framings.Read read) {
    Path file = read.schema();
    Schema schema = file == null ? null : SchemaFile.read(file);
    return switch (read.format()) {
      case AUTO -> new WireFormat.Detected(schema);
      case SINGLE_OBJECT -> new WireFormat.SingleObject();
      case CONFLUENT -> new WireFormat.Confluent();
      case CONFLUENT_HEADER -> new WireFormat.ConfluentHeader();
      case PLAIN -> new WireFormat.Plain(declared(schema));
      case JSON -> new WireFormat.Json(declared(schema));
    };
  }

  private static Schema declared(@Nullable Schema schema) {
    return Objects.requireNonNull(schema, "settings of plain and JSON values name a schema");
  }
}
