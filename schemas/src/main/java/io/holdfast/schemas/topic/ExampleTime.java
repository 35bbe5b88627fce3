package io.holdfast.schemas.topic;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * When an example was written, in the header {@value #NAME} of its record. Its timestamp is that of
 * the events it tells of, which may be long ago. Stateless.
 */
public final class ExampleTime {
  public static final String NAME = "holdfast.written";

  private ExampleTime() {}

  /** Copies headers, and says in them when the example is written: milliseconds since 1970. */
  public static Headers stamped(Headers headers, long millis) {
    Headers stamped = new RecordHeaders(headers);
    stamped.remove(NAME); // an example that was sent in again already has one
    stamped.add(NAME, ByteBuffer.allocate(Long.BYTES).putLong(millis).array());
    return stamped;
  }

  /** When an example was written; its timestamp, if nothing else is said. */
  public static long of(ConsumerRecord<byte[], byte[]> example) {
    Header header = example.headers().lastHeader(NAME);
    return header == null || header.value() == null || header.value().length != Long.BYTES
        ? example.timestamp()
        : ByteBuffer.wrap(header.value()).getLong();
  }
}
