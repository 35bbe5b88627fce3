package io.holdfast.schemas.framing;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.registry.SchemaId;
import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.Framing.Frame;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Opens the values of one topic, framed as its {@link WireFormat} says. Thread-safe.
 *
 * <pre>
 * value   00 | number of the schema, 4 bytes, big-endian | Avro body
 * header  __value_schema_id: 01 | GUID, 16 bytes, big-endian; the value is the Avro body
 * header  __value_schema_id: 00 | number, 4 bytes, big-endian; the same
 * </pre>
 */
public final class TopicFraming implements RecordFraming {
  /** The header that names the schema of a value. */
  public static final String VALUE_HEADER = "__value_schema_id";

  static final byte NUMBER = 0;
  static final byte GUID = 1;
  static final int NUMBER_BYTES = 5;
  static final int GUID_BYTES = 17;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /*
   * Frames that were opened, by the last bits of the number or GUID, as in SingleObjectFraming: what
   * is known of one does not change, and races are harmless. The others are in a map, whose size
   * the number of schemas bounds that exist.
   */
  private static final int OPENED = 16;

  private final WireFormat format;
  private final Framing single;
  private final @Nullable RegisteredSchemas registered;
  private final @Nullable JsonBody json;
  private final @Nullable Frame plain;
  private final @Nullable Opened[] opened = new @Nullable Opened[OPENED];
  private final @Nullable Headed[] headed = new @Nullable Headed[OPENED];
  private final ConcurrentMap<SchemaId, Frame> bodies = new ConcurrentHashMap<>();

  private record Opened(int number, Frame frame) {}

  private record Headed(long high, long low, Frame frame) {}

  /** A topic's framing, with its schemas in a registry if there is one. */
  public TopicFraming(WireFormat format, Framing single, @Nullable RegisteredSchemas registered) {
    this.format = format;
    this.single = single;
    this.registered = registered;
    this.json =
        switch (format) {
          case WireFormat.Json(Schema schema) -> new JsonBody(schema);
          case WireFormat.Detected(Schema declared) when declared != null -> new JsonBody(declared);
          default -> null;
        };
    this.plain = format instanceof WireFormat.Plain(Schema schema) ? new Frame(schema, 0) : null;
  }

  @Override
  public Frame open(byte @Nullable [] value, Headers headers) throws MalformedRecordException {
    return switch (format) {
      case WireFormat.Detected _ -> detected(value, headers);
      case WireFormat.SingleObject _ -> single.open(value);
      case WireFormat.Confluent _ -> numbered(present(value));
      case WireFormat.ConfluentHeader _ -> headed(value, headers.lastHeader(VALUE_HEADER));
      case WireFormat.Plain _ -> {
        byte[] _ = present(value);
        yield Objects.requireNonNull(plain);
      }
      case WireFormat.Json _ -> Objects.requireNonNull(json).frame(present(value));
    };
  }

  private Frame detected(byte @Nullable [] value, Headers headers) throws MalformedRecordException {
    if (value == null || value.length == 0) {
      return single.open(value);
    }
    if (registered != null) {
      Header header = headers.lastHeader(VALUE_HEADER);
      if (header != null) {
        return headed(value, header);
      }
    }
    if (value[0] == NUMBER) {
      return numbered(value);
    }
    return json != null && JsonBody.begins(value) ? json.frame(value) : single.open(value);
  }

  private static byte[] present(byte @Nullable [] value) throws MalformedRecordException {
    if (value == null) {
      throw new MalformedRecordException(Reason.NO_VALUE, "the record has no value");
    }
    return value;
  }

  private Frame numbered(byte[] value) throws MalformedRecordException {
    if (value.length < NUMBER_BYTES || value[0] != NUMBER) {
      throw unknown(
          "the value is not framed for a schema registry, which begins with the byte 00 and a"
              + " 4-byte number");
    }
    int number = (int) INT.get(value, 1);
    int slot = number & (OPENED - 1);
    Opened known = opened[slot];
    if (known != null && known.number == number) {
      return known.frame;
    }
    var frame = new Frame(schema(new SchemaId.Numbered(number)), NUMBER_BYTES);
    opened[slot] = new Opened(number, frame);
    return frame;
  }

  private Frame headed(byte @Nullable [] value, @Nullable Header header)
      throws MalformedRecordException {
    byte[] _ = present(value);
    Frame before = known(header);
    if (before != null) {
      return before;
    }
    SchemaId id = id(header);
    Frame known = bodies.get(id);
    if (known == null) {
      known = new Frame(schema(id), 0);
      bodies.put(id, known);
    }
    if (id instanceof SchemaId.Guid(UUID guid)) {
      long low = guid.getLeastSignificantBits();
      headed[(int) low & (OPENED - 1)] = new Headed(guid.getMostSignificantBits(), low, known);
    }
    return known;
  }

  /** The frame of a GUID that was opened; null if it was not, or another came since. */
  private @Nullable Frame known(@Nullable Header header) {
    byte[] id = header == null ? null : header.value();
    if (id == null || id.length != GUID_BYTES || id[0] != GUID) {
      return null;
    }
    long low = (long) LONG.get(id, 1 + Long.BYTES);
    Headed known = headed[(int) low & (OPENED - 1)];
    return known != null && known.low == low && known.high == (long) LONG.get(id, 1)
        ? known.frame
        : null;
  }

  private Schema schema(SchemaId id) throws MalformedRecordException {
    if (registered == null) {
      throw unknown(
          Sentence.of(
              "the value names schema %s of a schema registry, and none is set: set"
                  + " holdfast.registry.urls",
              id));
    }
    return registered.schema(id);
  }

  private static SchemaId id(@Nullable Header header) throws MalformedRecordException {
    byte[] id = header == null ? null : header.value();
    if (id != null && id.length == GUID_BYTES && id[0] == GUID) {
      return new SchemaId.Guid(new UUID((long) LONG.get(id, 1), (long) LONG.get(id, 9)));
    }
    if (id != null && id.length == NUMBER_BYTES && id[0] == NUMBER) {
      return new SchemaId.Numbered((int) INT.get(id, 1));
    }
    throw unknown(
        "the record names no schema in the header "
            + VALUE_HEADER
            + ", which is the byte 01 and a 16-byte GUID, or 00 and a 4-byte number");
  }

  private static MalformedRecordException unknown(String sentence) {
    return new MalformedRecordException(Reason.UNKNOWN_FRAMING, sentence);
  }

  @Override
  public boolean waits() {
    return registered != null;
  }

  @Override
  public boolean ready(byte @Nullable [] value, Headers headers) {
    if (registered == null || value == null) {
      return true;
    }
    if (mayBeNumbered(value, headers)) {
      Opened known = opened[value[NUMBER_BYTES - 1] & (OPENED - 1)];
      if (known != null && known.number == (int) INT.get(value, 1)) {
        return true;
      }
    }
    if (readsHeader() && known(headers.lastHeader(VALUE_HEADER)) != null) {
      return true;
    }
    SchemaId id = idOf(value, headers);
    return id == null || registered.settled(id);
  }

  @Override
  public @Nullable String awaited(byte @Nullable [] value, Headers headers) {
    SchemaId id = registered == null || value == null ? null : idOf(value, headers);
    return registered == null || id == null ? null : registered.failure(id);
  }

  private boolean mayBeNumbered(byte[] value, Headers headers) {
    return value.length >= NUMBER_BYTES
        && value[0] == NUMBER
        && (format instanceof WireFormat.Confluent
            || (format instanceof WireFormat.Detected && headers.lastHeader(VALUE_HEADER) == null));
  }

  private boolean readsHeader() {
    return format instanceof WireFormat.ConfluentHeader || format instanceof WireFormat.Detected;
  }

  /** The id that a value names its schema by; null if it names none, or badly. */
  private @Nullable SchemaId idOf(byte[] value, Headers headers) {
    if (mayBeNumbered(value, headers)) {
      return new SchemaId.Numbered((int) INT.get(value, 1));
    }
    Header header = headers.lastHeader(VALUE_HEADER);
    if (header == null || !readsHeader()) {
      return null;
    }
    try {
      return id(header);
    } catch (MalformedRecordException e) {
      return null;
    }
  }

  @Override
  public byte[] single(Schema schema, byte[] body) {
    return single.frame(schema, body);
  }
}
