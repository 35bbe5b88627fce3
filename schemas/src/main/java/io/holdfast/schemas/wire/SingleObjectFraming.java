package io.holdfast.schemas.wire;

import io.holdfast.schemas.wire.MalformedRecordException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Avro's single-object encoding. Thread-safe.
 *
 * <pre>C3 01 | CRC-64-AVRO fingerprint of the writer schema, 8 bytes, little-endian | Avro body
 * </pre>
 */
public final class SingleObjectFraming implements Framing {
  /** How many bytes the frame takes. */
  public static final int HEADER_BYTES = 10;

  private static final byte MARKER = (byte) 0xC3;
  private static final byte FORMAT = 1;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final SchemaSource schemas;

  /*
   * Frames that were opened, by the last bits of the fingerprint: a source gives the same instance
   * for a fingerprint for good, so what is here need not be looked up again. Races are harmless:
   * entries are immutable, and one that is overwritten is found again.
   */
  private static final int OPENED = 16;

  private final @Nullable Opened[] opened = new @Nullable Opened[OPENED];

  private record Opened(long fingerprint, Frame frame) {}

  // A schema's fingerprint takes longer than writing a record; a writer seldom has two schemas.
  private volatile @Nullable Fingerprinted last;

  private record Fingerprinted(Schema schema, long fingerprint) {}

  public SingleObjectFraming(SchemaSource schemas) {
    this.schemas = schemas;
  }

  @Override
  public Frame open(byte @Nullable [] bytes) throws MalformedRecordException {
    long fingerprint = fingerprint(bytes);
    int slot = (int) fingerprint & (OPENED - 1);
    Opened known = opened[slot];
    if (known != null && known.fingerprint == fingerprint) {
      return known.frame;
    }
    Schema schema = schemas.find(fingerprint);
    if (schema == null) {
      throw new MalformedRecordException(
          Reason.UNKNOWN_SCHEMA,
          "no schema with fingerprint " + Fingerprint.hex(fingerprint) + " is known");
    }
    var frame = new Frame(schema, HEADER_BYTES);
    opened[slot] = new Opened(fingerprint, frame);
    return frame;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // of the same one is enough to know
  public byte[] frame(Schema schema, byte[] body) {
    Fingerprinted known = last;
    if (known == null || known.schema != schema) {
      known = new Fingerprinted(schema, Fingerprint.of(schema));
      last = known;
    }
    return frame(known.fingerprint, body);
  }

  static byte[] frame(long fingerprint, byte[] body) {
    byte[] framed = new byte[HEADER_BYTES + body.length];
    framed[0] = MARKER;
    framed[1] = FORMAT;
    LONG.set(framed, 2, fingerprint);
    System.arraycopy(body, 0, framed, HEADER_BYTES, body.length);
    return framed;
  }

  /** Whether bytes begin as a frame does. */
  static boolean begins(byte[] bytes) {
    return bytes.length > 1 && bytes[0] == MARKER && bytes[1] == FORMAT;
  }

  /** The fingerprint that a frame names. */
  public static long fingerprint(byte @Nullable [] bytes) throws MalformedRecordException {
    if (bytes == null) {
      throw new MalformedRecordException(Reason.NO_VALUE, "the record has no value");
    }
    if (bytes.length < HEADER_BYTES || bytes[0] != MARKER || bytes[1] != FORMAT) {
      throw new MalformedRecordException(
          Reason.UNKNOWN_FRAMING,
          "the value is not in Avro single-object encoding, which begins with the bytes C3 01 and"
              + " an 8-byte fingerprint");
    }
    return (long) LONG.get(bytes, 2);
  }
}
