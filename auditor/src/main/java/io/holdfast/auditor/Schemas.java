package io.holdfast.auditor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.SchemaParser;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The schemas that values are written by, found by what stands before a value or in its headers;
 * see "Framing" in {@code docs/formats.md}. Owned by one thread.
 */
final class Schemas {
  private static final String IN_HEADER = "__value_schema_id";
  private static final GenericData DATA = data();

  private final Map<Long, Schema> byFingerprint = new HashMap<>();
  private final Map<String, Schema> byRegistryId = new HashMap<>();
  private final Map<Schema, GenericDatumReader<GenericRecord>> readers = new HashMap<>();
  private final Map<String, Schema> contracts = new HashMap<>();
  private final Map<String, Schema> declared = new HashMap<>();
  private @Nullable BinaryDecoder decoder;

  Schemas() {
    SchemaParser parser = new SchemaParser(); // of all, as they share the type of a hash
    for (String name :
        List.of(
            "Sha256Digest",
            "Score",
            "Label",
            "Example",
            "TreeSegment",
            "ModelHead",
            "ModelManifest")) {
      Schema now = Objects.requireNonNull(resource(parser, name + ".avsc"), name);
      contracts.put(name, now);
      add(now);
      for (int format = 1; ; format++) {
        Schema older = resource(new SchemaParser(), name + "-" + format + ".avsc");
        if (older == null) {
          break;
        }
        add(older);
      }
    }
  }

  private static @Nullable Schema resource(SchemaParser parser, String name) {
    try (InputStream in = Schemas.class.getResourceAsStream(name)) {
      return in == null ? null : parser.parse(in).mainSchema();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Schema parsed(String json) {
    return new SchemaParser().parse(json).mainSchema();
  }

  private static GenericData data() {
    GenericData data = new GenericData();
    data.addLogicalTypeConversion(new Conversions.DecimalConversion());
    data.addLogicalTypeConversion(new Conversions.BigDecimalConversion());
    return data;
  }

  final void add(Schema schema) {
    byFingerprint.put(SchemaNormalization.parsingFingerprint64(schema), schema);
  }

  /** Takes a schema from the schema topic; other messages are passed over. */
  void add(String key, byte @Nullable [] value) {
    if (value == null) {
      return;
    }
    try {
      Schema schema =
          new SchemaParser()
              .parse(new String(value, java.nio.charset.StandardCharsets.UTF_8))
              .mainSchema();
      add(schema);
      if (key.startsWith("registry/")) {
        byRegistryId.put(key.substring(key.lastIndexOf('/') + 1), schema);
      }
    } catch (AvroRuntimeException | StackOverflowError e) { // Avro's parser calls itself, too
      // Whatever is written by it cannot be read, and that is told.
    }
  }

  /** A value of ours, as its newest schema has it. */
  GenericRecord contract(String name, byte @Nullable [] value) throws UnreadableException {
    Schema now = Objects.requireNonNull(contracts.get(name), name);
    if (value != null && value.length > 5 && value[0] == 0) {
      String id = Integer.toString(ByteBuffer.wrap(value, 1, 4).getInt());
      return body(byRegistryId.getOrDefault(id, now), now, value, 5);
    }
    Written written = written(value, null);
    if (!written.by.getName().equals(name)) {
      throw new UnreadableException("it is a " + written.by.getName() + ", not a " + name);
    }
    return body(written.by, now, written.bytes, written.from);
  }

  /** What is in a field that is not given. */
  static @Nullable Object defaultOf(Schema.Field field) {
    return DATA.getDefaultValue(field);
  }

  private static boolean isObject(byte[] value) {
    int at = 0;
    while (at < value.length && " \t\n\r".indexOf(value[at]) >= 0) {
      at++;
    }
    return at < value.length && value[at] == '{';
  }

  /** A record or label of the user's. */
  GenericRecord record(byte @Nullable [] value, @Nullable Headers headers, AuditPlan.Written as)
      throws UnreadableException {
    if (value != null && as.schema() != null) {
      Schema schema = declared.computeIfAbsent(as.schema(), Schemas::parsed);
      boolean named = headers != null && headers.lastHeader(IN_HEADER) != null;
      if (as.form() == AuditPlan.Form.PLAIN) {
        return body(schema, schema, value, 0);
      }
      if (as.form() == AuditPlan.Form.JSON || (!named && isObject(value))) {
        return Json.record(value, schema);
      }
    }
    Written written = written(value, headers);
    return body(written.by, written.by, written.bytes, written.from);
  }

  /** Where the body of a value begins, and its schema. */
  @SuppressWarnings("ArrayRecordComponent") // handed on at once
  private record Written(Schema by, byte[] bytes, int from) {}

  private Written written(byte @Nullable [] value, @Nullable Headers headers)
      throws UnreadableException {
    if (value == null) {
      throw new UnreadableException("it has no value");
    }
    Header header = headers == null ? null : headers.lastHeader(IN_HEADER);
    if (header != null && header.value() != null) {
      return new Written(registered(header.value()), value, 0);
    }
    if (value.length >= 10 && value[0] == (byte) 0xC3 && value[1] == 1) {
      long fingerprint = ByteBuffer.wrap(value, 2, 8).order(ByteOrder.LITTLE_ENDIAN).getLong();
      Schema schema = byFingerprint.get(fingerprint);
      if (schema == null) {
        throw new UnreadableException(
            "no schema has the fingerprint " + Long.toHexString(fingerprint));
      }
      return new Written(schema, value, 10);
    }
    if (value.length >= 5 && value[0] == 0) {
      return new Written(registered(Arrays.copyOf(value, 5)), value, 5);
    }
    throw new UnreadableException("its framing is none that the auditor reads");
  }

  private Schema registered(byte[] id) throws UnreadableException {
    ByteBuffer in = ByteBuffer.wrap(id);
    String name = "";
    if (id.length == 5 && id[0] == 0) {
      name = Integer.toString(in.getInt(1));
    } else if (id.length == 17 && id[0] == 1) {
      name = new UUID(in.getLong(1), in.getLong(9)).toString();
    }
    Schema schema = byRegistryId.get(name);
    if (schema == null) {
      throw new UnreadableException(
          "the schema topic has no schema with the registry's number " + name);
    }
    return schema;
  }

  /** The whole of what stands from an offset on. */
  @SuppressWarnings("IllegalCatch") // Avro throws many kinds at bytes that are none of its
  private GenericRecord body(Schema schema, Schema wanted, byte[] bytes, int from)
      throws UnreadableException {
    GenericDatumReader<GenericRecord> reader =
        readers.computeIfAbsent(schema, key -> new GenericDatumReader<>(key, wanted, DATA));
    try {
      decoder = DecoderFactory.get().binaryDecoder(bytes, from, bytes.length - from, decoder);
      GenericRecord read = reader.read(null, decoder);
      if (!decoder.isEnd()) {
        throw new UnreadableException("there are bytes behind it");
      }
      return read;
    } catch (StackOverflowError e) { // Avro's reader calls itself for what is within a record
      throw new UnreadableException("it is nested too deeply for the auditor");
    } catch (IOException | RuntimeException e) {
      throw new UnreadableException("it is no " + schema.getName() + ": " + e);
    }
  }

  /** Which type of a union a value is of. */
  static int branch(Schema union, Object value) {
    return DATA.resolveUnion(union, value);
  }
}
