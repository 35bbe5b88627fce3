package io.holdfast.service.correlate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.schemas.Sentence;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * {@link JoinInput} to and from bytes, formats 1 and 2. Big-endian. Stateless.
 *
 * <pre>
 * format u8 | kind u8 | by kind:
 *   1 scored    message | version i64 | bytes hash | outputs i32 | outputs x (raw score f64)
 *               | in format 2: bytes uncertainty
 *   2 unscored  partition i32 | offset i64 | event time i64
 *   3 labelled  message
 *   4 barrier   up to i64 | begun at i64 | labels too u8
 * message: partition i32 | offset i64 | timestamp i64 | event time i64 | bytes key | bytes value
 *          | headers i32, each: bytes name, bytes value
 * bytes:   length i32, -1 is null | that many bytes
 * </pre>
 *
 * <p>Format 2 is for scores that say how sure they are, and for nothing else. Never edited once a
 * topic may hold it: a change is a format 3, and this reader stays.
 */
public final class JoinInputCodec {
  private static final int FORMAT = 1;
  private static final int UNCERTAIN = 2;
  private static final int SCORED = 1;
  private static final int UNSCORED = 2;
  private static final int LABELLED = 3;
  private static final int BARRIER = 4;

  private JoinInputCodec() {}

  public static byte[] encode(JoinInput input) {
    return switch (input) {
      case JoinInput.Scored scored -> scored(scored).array();
      case JoinInput.Unscored(int partition, long offset, long event) ->
          begin(UNSCORED, 4 + 8 + 8).putInt(partition).putLong(offset).putLong(event).array();
      case JoinInput.Labelled(var label) -> put(begin(LABELLED, size(label)), label).array();
      case JoinInput.Barrier(long upTo, long begunAt, boolean labelsToo) ->
          begin(BARRIER, 8 + 8 + 1)
              .putLong(upTo)
              .putLong(begunAt)
              .put((byte) (labelsToo ? 1 : 0))
              .array();
    };
  }

  /** What the bytes say; IllegalArgumentException in a sentence if they are no such message. */
  public static JoinInput decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int format = in.get();
      int kind = in.get();
      if (format != FORMAT && (format != UNCERTAIN || kind != SCORED)) {
        throw new IllegalArgumentException(
            Sentence.of("the message has format %d, and format %d is read", format, FORMAT));
      }
      return switch (kind) {
        case SCORED -> {
          JoinInput.Message record = message(in);
          long version = in.getLong();
          byte[] hash = present(in);
          double[] rawScores = new double[length(in, in.getInt(), Double.BYTES)];
          for (int i = 0; i < rawScores.length; i++) {
            rawScores[i] = in.getDouble();
          }
          byte[] uncertainty = format == UNCERTAIN ? present(in) : null;
          yield new JoinInput.Scored(record, version, hash, rawScores, uncertainty);
        }
        case UNSCORED -> new JoinInput.Unscored(in.getInt(), in.getLong(), in.getLong());
        case LABELLED -> new JoinInput.Labelled(message(in));
        case BARRIER -> new JoinInput.Barrier(in.getLong(), in.getLong(), in.get() != 0);
        default ->
            throw new IllegalArgumentException(
                Sentence.of("the message has kind %d, and kinds 1 to 4 are known", kind));
      };
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the message ends before its time", e);
    }
  }

  private static ByteBuffer scored(JoinInput.Scored scored) {
    double[] rawScores = scored.rawScores();
    int after = 8 + 4 + scored.hash().length + 4 + rawScores.length * Double.BYTES;
    byte[] uncertainty = scored.uncertainty();
    int last = uncertainty == null ? 0 : size(uncertainty);
    ByteBuffer out = begin(SCORED, size(scored.record()) + after + last);
    put(out, scored.record());
    out.putLong(scored.version());
    put(out, scored.hash());
    out.putInt(rawScores.length);
    for (double score : rawScores) {
      out.putDouble(score);
    }
    if (uncertainty != null) {
      put(out.put(0, (byte) UNCERTAIN), uncertainty);
    }
    return out;
  }

  private static ByteBuffer begin(int kind, int size) {
    return ByteBuffer.allocate(2 + size).put((byte) FORMAT).put((byte) kind);
  }

  private static int size(JoinInput.Message message) {
    int size = 4 + 8 + 8 + 8 + size(message.key()) + size(message.value()) + 4;
    for (Header header : message.headers().toArray()) {
      size += 4 + header.key().getBytes(UTF_8).length + size(header.value());
    }
    return size;
  }

  private static int size(byte @Nullable [] bytes) {
    return 4 + (bytes == null ? 0 : bytes.length);
  }

  private static ByteBuffer put(ByteBuffer out, JoinInput.Message message) {
    out.putInt(message.partition())
        .putLong(message.offset())
        .putLong(message.timestampMillis())
        .putLong(message.eventMillis());
    put(out, message.key());
    put(out, message.value());
    Header[] headers = message.headers().toArray();
    out.putInt(headers.length);
    for (Header header : headers) {
      put(out, header.key().getBytes(UTF_8));
      put(out, header.value());
    }
    return out;
  }

  private static void put(ByteBuffer out, byte @Nullable [] bytes) {
    if (bytes == null) {
      out.putInt(-1);
    } else {
      out.putInt(bytes.length).put(bytes);
    }
  }

  private static JoinInput.Message message(ByteBuffer in) {
    int partition = in.getInt();
    long offset = in.getLong();
    long timestamp = in.getLong();
    long event = in.getLong();
    byte[] key = bytes(in);
    byte[] value = present(in);
    Headers headers = new RecordHeaders();
    for (int left = in.getInt(); left > 0; left--) {
      String name = new String(present(in), UTF_8);
      headers.add(name, bytes(in));
    }
    return new JoinInput.Message(partition, offset, timestamp, event, key, value, headers);
  }

  private static byte @Nullable [] bytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length(in, length, 1)];
    in.get(bytes);
    return bytes;
  }

  private static byte[] present(ByteBuffer in) {
    byte[] bytes = bytes(in);
    if (bytes == null) {
      throw new IllegalArgumentException("the message lacks bytes that it must have");
    }
    return bytes;
  }

  /** A length that the rest of the buffer can hold: nothing large is allocated for nothing. */
  private static int length(ByteBuffer in, int items, int bytesEach) {
    if (items < 0 || (long) items * bytesEach > in.remaining()) {
      throw new IllegalArgumentException("the message ends before its time");
    }
    return items;
  }
}
