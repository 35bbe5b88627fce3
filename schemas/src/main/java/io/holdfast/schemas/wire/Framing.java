package io.holdfast.schemas.wire;

import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** How a topic's bytes name their writer schema. Thread-safe. */
public interface Framing {

  /** Finds the writer schema and where the Avro body starts, if the bytes name a known schema. */
  Frame open(byte @Nullable [] bytes) throws MalformedRecordException;

  /** Puts the frame before an Avro body written with {@code schema}. */
  byte[] frame(Schema schema, byte[] body);

  /**
   * An opened frame.
   *
   * @param schema the writer schema; the same instance for the same schema, so that decoders can be
   *     cached by identity
   * @param bodyOffset where the Avro body starts
   * @param converted the body where the value is not Avro; null where it is in the value
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one value, or null; never compared
  record Frame(Schema schema, int bodyOffset, byte @Nullable [] converted) {
    public Frame(Schema schema, int bodyOffset) {
      this(schema, bodyOffset, null);
    }

    /** The bytes that have the Avro body from {@link #bodyOffset} on. */
    public byte[] bytes(byte[] value) {
      return converted == null ? value : converted;
    }
  }
}
