package io.holdfast.service.correlate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.feature.TextField;
import io.holdfast.schemas.settings.Correlation;
import io.holdfast.schemas.settings.Correlation.Place;
import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.settings.ModelSettings.Labels;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Finds the id by which a label and its record name each other. Thread-safe. */
public final class CorrelationId {
  private final Place place;
  private final ConcurrentMap<Schema, Optional<TextField>> fields = new ConcurrentHashMap<>();

  public CorrelationId(Place place) {
    this.place = place;
  }

  /** That of a model's records: the key, where labels need none. */
  public static CorrelationId ofRecords(ModelSettings model) {
    Correlation correlation =
        model.labels() instanceof Labels.InTopic labels ? labels.correlation() : Correlation.BY_KEY;
    return new CorrelationId(correlation.record());
  }

  /** The id of a message; null if it has none. */
  public byte @Nullable [] of(
      byte @Nullable [] key, Headers headers, Framing.Frame frame, byte[] value)
      throws MalformedRecordException {
    return switch (place) {
      case Place.Field(String path) -> {
        String text = text(path, frame, value);
        yield text == null ? null : text.getBytes(UTF_8);
      }
      case Place.Key _, Place.Header _ -> outside(key, headers);
    };
  }

  /** The id that a body alone holds; null if it has none, or ids are not in there. */
  public byte @Nullable [] within(Schema schema, byte[] body) throws MalformedRecordException {
    String text =
        place instanceof Place.Field(String path)
            ? text(path, new Framing.Frame(schema, 0), body)
            : null;
    return text == null ? null : text.getBytes(UTF_8);
  }

  /** The id of a message whose value cannot be read; null if it has none or it is in there. */
  public byte @Nullable [] outside(byte @Nullable [] key, Headers headers) {
    return switch (place) {
      case Place.Key() -> key;
      case Place.Header(String name) -> {
        Header header = headers.lastHeader(name);
        yield header == null ? null : header.value();
      }
      case Place.Field _ -> null;
    };
  }

  /** What a message lacks that has no id, for messages. */
  public String lacking() {
    return switch (place) {
      case Place.Key() -> "key";
      case Place.Header(String name) -> "header " + name;
      case Place.Field(String path) -> "value in the field " + path;
    };
  }

  private @Nullable String text(String path, Framing.Frame frame, byte[] value)
      throws MalformedRecordException {
    Optional<TextField> field = fields.get(frame.schema());
    if (field == null) { // not computeIfAbsent: compiling may throw
      field = Optional.ofNullable(TextField.compile(frame.schema(), path));
      fields.put(frame.schema(), field);
    }
    return field.isEmpty() ? null : field.get().read(frame.bytes(value), frame.bodyOffset());
  }
}
