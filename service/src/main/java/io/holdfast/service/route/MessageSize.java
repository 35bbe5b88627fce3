package io.holdfast.service.route;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How large a message is, and how large it may be. An example carries its record, and a dead letter
 * its message with more headers, so both must still fit where the message did: a topic takes about
 * 1 MiB unless told otherwise, and compression may have made more of it fit. What is larger could
 * be written nowhere and would stop the stream for good.
 */
public final class MessageSize {
  /** The most that key, value and headers may be together. */
  public static final int MAX_BYTES = 900_000;

  private MessageSize() {}

  /** The bytes of key, value and headers together. */
  public static long of(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    long bytes = length(key) + length(value);
    for (Header header : headers.toArray()) { // no iterator for the usual none
      bytes += header.key().length() + length(header.value());
    }
    return bytes;
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
