package io.holdfast.schemas.wire;

import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One of our own contracts: written as single objects, read in any framing that it may be written
 * in. Thread-safe.
 *
 * <p>Reads what the present schema and the older ones it was given wrote, by Avro's rules of schema
 * resolution. Bytes are checked by {@link BodyPlan} before Avro's reader sees them, so their sizes
 * cannot make it allocate more than a small multiple of what is there.
 */
public final class ContractCodec<T extends SpecificRecord> {
  static {
    GeneratedClasses.allow();
  }

  private static final int REGISTERED_BYTES = 5; // 00 and the schema's number

  private final Schema schema;
  private final long fingerprint;
  private final List<Predicate<T>> news; // of the newest schemas, which values need them
  private final List<Schema> written; // by one more than these, the newest first
  private final List<SpecificDatumWriter<T>> writers; // of these
  private final Map<Long, Version<T>> versions = new LinkedHashMap<>(); // the newest first

  private record Version<T>(Schema schema, BodyPlan<Object> check, SpecificDatumReader<T> reader) {
    boolean is(byte[] bytes, int from) {
      try {
        check.read(bytes, from, this);
        return true;
      } catch (MalformedRecordException e) {
        return false;
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Written<T>(Version<T> version, byte[] bytes, int from) {}

  /** A codec that also reads what older schemas wrote. */
  public ContractCodec(Class<T> type, Schema... older) {
    this(type, List.of(), older);
  }

  /**
   * A codec that writes by an older schema what that can say, so that older programs read it.
   *
   * @param news of the newest schemas, the present first, whether a value says anything in the
   *     fields that it has added, each behind those of the schema before it
   */
  ContractCodec(Class<T> type, List<Predicate<T>> news, Schema... older) {
    this.news = List.copyOf(news);
    SpecificData data = SpecificData.getForClass(type);
    schema = data.getSchema(type);
    fingerprint = Fingerprint.of(schema);
    versions.put(fingerprint, version(schema, data));
    for (Schema old : List.of(older).reversed()) {
      versions.put(Fingerprint.of(old), version(old, data));
    }
    written =
        versions.values().stream().limit(1L + news.size()).map(version -> version.schema).toList();
    SpecificData direct = direct(data); // which writes the present one alone
    writers =
        written.stream()
            .map(one -> new SpecificDatumWriter<T>(one, one.equals(schema) ? direct : data))
            .toList();
  }

  /** Writes by generated code, which takes a fifth of the time that the schema does. */
  private static SpecificData direct(SpecificData data) {
    SpecificData direct = new SpecificData(data.getClassLoader());
    data.getConversions().forEach(direct::addLogicalTypeConversion);
    direct.setCustomCoders(true);
    return direct;
  }

  private Version<T> version(Schema written, SpecificData data) {
    try {
      return new Version<>(
          written, BodyPlan.checking(written), new SpecificDatumReader<>(written, schema, data));
    } catch (MalformedRecordException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The present schema. */
  public Schema schema() {
    return schema;
  }

  /** The schema before the present one, where there was one. */
  public Schema before() {
    return versions.values().stream().skip(1).findFirst().orElseThrow().schema;
  }

  /** The schemas that values are written by. */
  public List<Schema> written() {
    return written.reversed();
  }

  /** The schema that a value is written by. */
  public Schema written(T value) {
    return written.get(older(value));
  }

  /** Frame and body. */
  public byte[] encode(T value) {
    return framed(value, encodeBody(value));
  }

  /** A body that {@link #encodeBody} made, in its frame. */
  public byte[] framed(byte[] body) {
    return SingleObjectFraming.frame(fingerprint, body);
  }

  /** That of a value, in its frame. */
  public byte[] framed(T value, byte[] body) {
    return SingleObjectFraming.frame(Fingerprint.of(written.get(older(value))), body);
  }

  /** The Avro body alone, which is what hashes cover. */
  public byte[] encodeBody(T value) {
    return body(out -> writers.get(older(value)).write(value, out));
  }

  /** How many schemas before the present one there is the oldest that says all of a value. */
  private int older(T value) {
    int older = 0;
    while (older < news.size() && !news.get(older).test(value)) {
      older++;
    }
    return older;
  }

  /** Writes the body of a value, as its schema says. */
  @FunctionalInterface
  public interface BodyWriter {
    void writeTo(Encoder out) throws IOException;
  }

  /** The body that a writer of its own writes. */
  public static byte[] body(BodyWriter writer) {
    return body(1 << 10, writer);
  }

  /** As above, where about so many bytes are expected. */
  public static byte[] body(int expected, BodyWriter writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(expected);
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      writer.writeTo(encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all that is written", e);
    }
    return bytes.toByteArray();
  }

  /*
   * What is framed for a registry is read without one: no body of ours begins as a frame does, and
   * each schema only adds fields to the end of the one before, so that a body is a whole one of one
   * schema alone.
   */
  private Written<T> open(byte @Nullable [] bytes) throws MalformedRecordException {
    if (bytes == null || bytes.length == 0 || SingleObjectFraming.begins(bytes)) {
      Version<T> version = versions.get(SingleObjectFraming.fingerprint(bytes));
      if (bytes == null || version == null) {
        throw unknown();
      }
      version.check.read(bytes, SingleObjectFraming.HEADER_BYTES, this);
      return new Written<>(version, bytes, SingleObjectFraming.HEADER_BYTES);
    }
    int from = bytes[0] == 0 ? Math.min(REGISTERED_BYTES, bytes.length) : 0;
    for (Version<T> version : versions.values()) {
      if (version.is(bytes, from)) {
        return new Written<>(version, bytes, from);
      }
    }
    long _ = SingleObjectFraming.fingerprint(bytes); // which says what is wrong with it
    throw unknown();
  }

  private MalformedRecordException unknown() {
    return new MalformedRecordException(
        Reason.UNKNOWN_SCHEMA,
        "the value is no " + schema.getName() + " that this version of Holdfast knows");
  }

  /** Whether the schema that wrote a value knew a field, as the present one does. */
  public boolean knows(String field, byte[] bytes) throws MalformedRecordException {
    return open(bytes).version.schema.getField(field) != null;
  }

  /**
   * The value, if the bytes are one whole framed value of this contract: a single object, or as a
   * registry's clients frame it, with the schema's name before it or in a header.
   */
  public T decode(byte @Nullable [] value) throws MalformedRecordException {
    Written<T> written = open(value);
    Version<T> version = written.version;
    byte[] bytes = written.bytes;
    int from = written.from;
    try {
      BinaryDecoder in = DecoderFactory.get().binaryDecoder(bytes, from, bytes.length - from, null);
      @SuppressWarnings("NullAway") // Avro's way to say: no object to reuse.
      T read = version.reader.read(null, in);
      return read;
    } catch (IOException | AvroRuntimeException e) {
      throw new MalformedRecordException(
          Reason.INVALID_VALUE, "the value is no " + schema.getName() + ": " + e.getMessage());
    }
  }
}
