package io.holdfast.schemas.topic;

import io.holdfast.schemas.wire.SchemaSource;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * SKELETON: writer schemas from files and from the compacted schema topic (key: {@code
 * <topic>/<fingerprint in hex>}, value: the schema's JSON). Thread-safe.
 *
 * <p>A fingerprint that is not known makes {@link #find} wait, once, until the topic has been read
 * to its present end: the schema may have been registered just before the record.
 */
public final class SchemaTopic implements SchemaSource, AutoCloseable {

  /** Starts reading on a thread of its own. */
  public SchemaTopic(Map<String, String> kafka, String topic) {}

  /** Adds a schema known from a file, for records of {@code recordTopic}. */
  public void add(String recordTopic, Schema schema) {}

  @Override
  public @Nullable Schema find(long fingerprint) {
    return null;
  }

  /** The schema registered last for records of that topic; empty if none was. */
  public Optional<Schema> latest(String recordTopic) {
    return Optional.empty();
  }

  /** Registers a schema for records of a topic and waits for the broker's acknowledgement. */
  public static void register(
      Map<String, String> kafka, String schemaTopic, String recordTopic, Schema schema) {}

  @Override
  public void close() {}
}
