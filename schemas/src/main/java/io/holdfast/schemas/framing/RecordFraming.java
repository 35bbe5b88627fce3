package io.holdfast.schemas.framing;

import io.holdfast.schemas.wire.Framing;
import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.schemas.wire.SingleObjectFraming;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** How the values of one topic are framed. Thread-safe. */
public interface RecordFraming {

  /**
   * Finds the writer schema and the Avro body. Waits a little for a schema that is being asked for.
   *
   * @throws MalformedRecordException if the value is null, has no such frame, or its schema does
   *     not exist
   * @throws SchemaUnavailableException if nobody can say now what its schema is
   */
  Framing.Frame open(byte @Nullable [] value, Headers headers) throws MalformedRecordException;

  /**
   * Whether {@link #open} would say at once what the value is, or that it is nothing. Never waits:
   * if it is not so, the schema is being asked for.
   */
  default boolean ready(byte @Nullable [] value, Headers headers) {
    return true;
  }

  /** Why a value that is not ready has to wait, once that is known. */
  default @Nullable String awaited(byte @Nullable [] value, Headers headers) {
    return null;
  }

  /** Whether a value may have to wait. */
  default boolean waits() {
    return false;
  }

  /** Puts Avro's single-object frame before a body: how values go on within Holdfast. */
  byte[] single(Schema schema, byte[] body);

  /** The value as a single object, which names its schema to whoever knows no registry. */
  default byte[] single(Framing.Frame frame, byte[] value) {
    if (frame.converted() == null && frame.bodyOffset() == SingleObjectFraming.HEADER_BYTES) {
      return value;
    }
    byte[] bytes = frame.bytes(value);
    return single(frame.schema(), Arrays.copyOfRange(bytes, frame.bodyOffset(), bytes.length));
  }

  /** Values that are framed as {@code framing} says, whatever their headers. */
  static RecordFraming of(Framing framing) {
    return new RecordFraming() {
      @Override
      public Framing.Frame open(byte @Nullable [] value, Headers headers)
          throws MalformedRecordException {
        return framing.open(value);
      }

      @Override
      public byte[] single(Schema schema, byte[] body) {
        return framing.frame(schema, body);
      }
    };
  }
}
