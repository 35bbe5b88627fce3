package io.holdfast.service.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Records that could not be used, as they came, with headers that say where from and why. The names
 * are those of Kafka Streams' own dead letters, and {@value #REASON} beside them.
 */
public final class DeadLetters {
  public static final String TOPIC = "__streams.errors.topic";
  public static final String PARTITION = "__streams.errors.partition";
  public static final String OFFSET = "__streams.errors.offset";
  public static final String EXCEPTION = "__streams.errors.exception";
  public static final String MESSAGE = "__streams.errors.message";
  public static final String REASON = "holdfast.reason";

  private DeadLetters() {}

  /**
   * Where a record came from.
   *
   * @param topic its topic
   */
  public record Origin(String topic, int partition, long offset) {}

  /**
   * Why it could not be used.
   *
   * @param reason the name that it is counted by
   * @param exception the class name of the error
   * @param message one sentence
   */
  public record Cause(String reason, String exception, String message) {}

  /**
   * The dead letter of a record: its key, value, timestamp and headers with ours added. Of one that
   * is too large to be written again only ours are left; they say where it is.
   */
  public static Record<Outgoing, byte @Nullable []> of(
      Record<byte[], byte[]> record, Origin origin, Cause cause) {
    boolean whole =
        MessageSize.of(record.key(), record.value(), record.headers()) <= MessageSize.MAX_BYTES;
    Headers headers = whole ? new RecordHeaders(record.headers()) : new RecordHeaders();
    put(headers, TOPIC, origin.topic());
    put(headers, PARTITION, Integer.toString(origin.partition()));
    put(headers, OFFSET, Long.toString(origin.offset()));
    put(headers, EXCEPTION, cause.exception());
    put(headers, MESSAGE, cause.message());
    put(headers, REASON, cause.reason());
    return new Record<>(
        new Outgoing(origin.partition(), whole ? record.key() : null),
        whole ? record.value() : null,
        record.timestamp(),
        headers);
  }

  private static void put(Headers headers, String name, String value) {
    // A dead letter that was sent in again already has such headers: the newest word counts.
    headers.remove(name);
    headers.add(name, value.getBytes(UTF_8));
  }
}
