package io.holdfast.trainer.publish;

import io.holdfast.schemas.wire.MalformedRecordException;
import io.holdfast.trainer.window.Refusal;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * An example that could not be learned from, as it came, and why. Immutable.
 *
 * @param example what was read; its bytes are not copied
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> example, Refusal refusal) {
  /*
   * Header names and their text encoding are those of Kafka Streams' own dead letters, so that one
   * tool reads both; holdfast.reason is ours. A dead letter is larger than what it is about, and one
   * that the broker refuses for its size would hold up the transaction for ever: a value near the
   * usual limit of 1 MiB is left out, and its place in the log and its size are said instead.
   */
  private static final int MAX_BYTES = 1_000_000;

  /** The record for the dead-letter topic. */
  ProducerRecord<byte[], byte[]> toRecord(String topic) {
    byte[] key = example.key();
    byte[] value = example.value();
    int bytes = size(key) + size(value) + headerBytes();
    boolean tooLarge = bytes > MAX_BYTES;
    var record =
        new ProducerRecord<byte[], byte[]>(
            topic, null, tooLarge ? null : key, tooLarge ? null : value);
    Headers headers = record.headers();
    if (tooLarge) {
      add(headers, "holdfast.left.out.bytes", String.valueOf(bytes));
    } else {
      example.headers().forEach(headers::add);
    }
    add(headers, "__streams.errors.topic", example.topic());
    add(headers, "__streams.errors.partition", String.valueOf(example.partition()));
    add(headers, "__streams.errors.offset", String.valueOf(example.offset()));
    add(headers, "__streams.errors.exception", MalformedRecordException.class.getName());
    add(headers, "__streams.errors.message", refusal.message());
    add(headers, "holdfast.reason", refusal.reason());
    return record;
  }

  private int headerBytes() {
    int bytes = 0;
    for (Header header : example.headers()) {
      bytes += header.key().length() + size(header.value());
    }
    return bytes;
  }

  private static int size(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void add(Headers headers, String name, String value) {
    headers.remove(name); // one that was sent in again has them already: the newest word counts
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
