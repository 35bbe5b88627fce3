package io.holdfast.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.version.Digest;
import java.util.Locale;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be used, as it came, with headers that say where from and why. The names
 * are those of Kafka Streams' own dead letters; the ones of ours begin with {@code holdfast.}
 *
 * <p>One that is too large to be written again is a reference to its topic, partition and offset,
 * with its size and the hash of its value. Its key and headers stay unless they alone are large.
 *
 * @param key not copied
 * @param value not copied
 */
@SuppressWarnings("ArrayRecordComponent") // on its way to a producer; never compared
public record DeadLetterMessage(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
  public static final String TOPIC = "__streams.errors.topic";
  public static final String PARTITION = "__streams.errors.partition";
  public static final String OFFSET = "__streams.errors.offset";
  public static final String EXCEPTION = "__streams.errors.exception";
  public static final String MESSAGE = "__streams.errors.message";
  public static final String REASON = "holdfast.reason";

  /** What could not be used: {@link Subject#label}. */
  public static final String OF = "holdfast.of";

  /**
   * The message's own time, in milliseconds since 1970. The letter's is when it was written, so
   * that it is kept as long as its topic says, however old the message is.
   */
  public static final String TIMESTAMP = "holdfast.timestamp";

  // Of a value, or a key, that is left out: how large the message is, and SHA-256 in hex digits.
  public static final String BYTES = "holdfast.bytes";
  public static final String VALUE_SHA256 = "holdfast.value.sha256";
  public static final String KEY_SHA256 = "holdfast.key.sha256";

  /** In a mark without a value: the offset of a letter of its partition that was sent in again. */
  public static final String REDRIVEN = "holdfast.redriven";

  /** A key, or all headers, of so many bytes are kept beside a reference. */
  private static final int KEPT_BYTES = 32 << 10;

  /** What a dead letter is about. */
  public enum Subject {
    /** A record that was not scored. */
    RECORD,
    /** A label, though the record that holds it may have been scored. */
    LABEL,
    /** An example that was not learned from. */
    EXAMPLE,
    /** A message where none should be. */
    OTHER;

    /** The name in headers and metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where a message came from. */
  public record Origin(String topic, int partition, long offset) {}

  /**
   * Why it could not be used.
   *
   * @param reason the name that it is counted by
   * @param exception the class name of the error
   * @param message one sentence
   */
  public record Cause(Subject subject, String reason, String exception, String message) {}

  /**
   * The dead letter of a message.
   *
   * @param headers of the message
   * @param timestamp of the message; negative if it has none
   * @param maxBytes the most that its key, value and headers may have together to be kept
   */
  public static DeadLetterMessage of(
      byte @Nullable [] key,
      byte @Nullable [] value,
      Headers headers,
      long timestamp,
      Origin origin,
      Cause cause,
      int maxBytes) {
    long ofHeaders = bytes(headers);
    long all = length(key) + length(value) + ofHeaders;
    boolean whole = all <= maxBytes;
    boolean withHeaders = whole || ofHeaders <= KEPT_BYTES;
    boolean withKey = whole || length(key) <= KEPT_BYTES;
    Headers kept = withHeaders ? new RecordHeaders(headers) : new RecordHeaders();
    put(kept, TOPIC, origin.topic());
    put(kept, PARTITION, Integer.toString(origin.partition()));
    put(kept, OFFSET, Long.toString(origin.offset()));
    put(kept, EXCEPTION, cause.exception());
    put(kept, MESSAGE, cause.message());
    put(kept, REASON, cause.reason());
    put(kept, OF, cause.subject().label());
    if (timestamp >= 0) {
      put(kept, TIMESTAMP, Long.toString(timestamp));
    }
    if (!whole) {
      put(kept, BYTES, Long.toString(all));
      if (value != null) {
        put(kept, VALUE_SHA256, Digest.of(value).hex());
      }
      if (!withKey && key != null) {
        put(kept, KEY_SHA256, Digest.of(key).hex());
      }
    }
    return new DeadLetterMessage(withKey ? key : null, whole ? value : null, kept);
  }

  /** The bytes of key, value and headers together. */
  public static long bytes(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    return length(key) + length(value) + bytes(headers);
  }

  private static long bytes(Headers headers) {
    long bytes = 0;
    for (Header header : headers.toArray()) { // no iterator for the usual none
      bytes += header.key().length() + length(header.value());
    }
    return bytes;
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /**
   * The time of a letter's message, in milliseconds: what the letter says, or, of programs that
   * wrote none, that of the letter, which was the message's.
   *
   * @param timestamp of the letter
   */
  public static long messageTime(Headers letter, long timestamp) {
    Header said = letter.lastHeader(TIMESTAMP);
    if (said == null || said.value() == null) {
      return timestamp;
    }
    try {
      return Long.parseLong(new String(said.value(), UTF_8));
    } catch (NumberFormatException e) {
      return timestamp;
    }
  }

  private static void put(Headers headers, String name, String value) {
    // A dead letter that was sent in again already has such headers: the newest word counts.
    headers.remove(name);
    headers.add(name, value.getBytes(UTF_8));
  }

  /** The transactional id under which a model's letters are sent in again. */
  public static String transactionalId(String model) {
    return "holdfast-redrive-" + model;
  }
}
