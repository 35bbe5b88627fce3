package io.holdfast.schemas.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.topic.DeadLetterMessage;
import io.holdfast.schemas.topic.DeadLetterMessage.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter: what could not be used, where it came from and why. Immutable.
 *
 * @param origin null if it does not say
 */
public record Letter(
    ConsumerRecord<byte[], byte[]> record,
    String of,
    String reason,
    String sentence,
    @Nullable Origin origin) {
  private static final Set<String> OURS =
      Set.of(
          DeadLetterMessage.TOPIC,
          DeadLetterMessage.PARTITION,
          DeadLetterMessage.OFFSET,
          DeadLetterMessage.EXCEPTION,
          DeadLetterMessage.MESSAGE,
          DeadLetterMessage.REASON,
          DeadLetterMessage.OF,
          DeadLetterMessage.TIMESTAMP);

  static Letter of(ConsumerRecord<byte[], byte[]> record) {
    String topic = text(record, DeadLetterMessage.TOPIC);
    String partition = text(record, DeadLetterMessage.PARTITION);
    String offset = text(record, DeadLetterMessage.OFFSET);
    return new Letter(
        record,
        said(record, DeadLetterMessage.OF),
        said(record, DeadLetterMessage.REASON),
        said(record, DeadLetterMessage.MESSAGE),
        topic == null || partition == null || offset == null
            ? null
            : new Origin(topic, Integer.parseInt(partition), Long.parseLong(offset)));
  }

  private static String said(ConsumerRecord<byte[], byte[]> record, String header) {
    String text = text(record, header);
    return text == null ? "?" : text;
  }

  static @Nullable String text(ConsumerRecord<byte[], byte[]> record, String header) {
    Header found = record.headers().lastHeader(header);
    return found == null || found.value() == null ? null : new String(found.value(), UTF_8);
  }

  /** The message's own time. */
  public Instant time() {
    return Instant.ofEpochMilli(
        DeadLetterMessage.messageTime(record.headers(), record.timestamp()));
  }

  /** When the message was refused; null if a program wrote the letter that did not say. */
  public @Nullable Instant refused() {
    return record.headers().lastHeader(DeadLetterMessage.TIMESTAMP) == null
        ? null
        : Instant.ofEpochMilli(record.timestamp());
  }

  /** Where it stands on its topic. */
  public String place() {
    return record.partition() + ":" + record.offset();
  }

  /** Whether it holds the whole message, and not a reference to one that was too large. */
  public boolean whole() {
    return origin != null && record.headers().lastHeader(DeadLetterMessage.BYTES) == null;
  }

  /** The message's own headers. */
  public Headers headers() {
    Headers own = new RecordHeaders();
    for (Header header : record.headers()) {
      if (!OURS.contains(header.key())) {
        own.add(header);
      }
    }
    return own;
  }

  /** Bytes for people: text where they are text, else hex digits. */
  public static @Nullable String shown(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.chars().noneMatch(Character::isISOControl)) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // no text: shown as what it is
    }
    return HexFormat.of().formatHex(bytes);
  }
}
