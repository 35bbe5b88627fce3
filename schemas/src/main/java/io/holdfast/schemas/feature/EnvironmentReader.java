package io.holdfast.schemas.feature;

import io.holdfast.schemas.wire.BySchema;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Reads which environment a record is of, by the field that a version names. Thread-safe. */
public final class EnvironmentReader {
  private final @Nullable String path;
  private final BySchema<Optional<FieldDecoder>> decoders = new BySchema<>(this::compile);

  /** By the field at {@code path}; null if all rows share one environment. */
  public EnvironmentReader(@Nullable String path) {
    this.path = path;
  }

  /**
   * The environment of the body {@code bytes[from, bytes.length)}: empty if all rows share one, and
   * null if the record does not say.
   */
  public @Nullable String of(Schema schema, byte[] bytes, int from) {
    if (path == null) {
      return "";
    }
    FieldDecoder decoder = decoders.get(schema).orElse(null);
    try {
      Object value = decoder == null ? null : decoder.decode(bytes, from)[0];
      return value == null ? null : FieldDecoder.environment(value);
    } catch (MalformedRecordException e) {
      return null; // a text that is too long: a record that is none has no score
    }
  }

  private Optional<FieldDecoder> compile(Schema schema) {
    try {
      return path == null
          ? Optional.empty()
          : Optional.of(FieldDecoder.compile(schema, List.of(path)));
    } catch (MalformedRecordException e) {
      return Optional.empty(); // it comes with the label
    }
  }
}
