package io.holdfast.service.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * {@link Held} to and from the store's bytes, format 1. Big-endian. Stateless.
 *
 * <pre>
 * format u8 = 1 | kind u8 | expiresAt i64 | by kind:
 *   1 waiting      message | bytes score
 *   2 early label  message
 *   3 labelled
 *   4 missed
 *   5 unscored     bytes key | message record | message label
 *   6 early score  bytes
 * message: offset i64 | timestamp i64 | bytes value | headers i32, each: bytes name, bytes value
 * bytes:   length i32, -1 is null | that many bytes
 * </pre>
 *
 * <p>Never edited once a changelog may hold it: a change is a format 2, and this reader stays.
 */
final class HeldCodec {
  private static final int FORMAT = 1;
  private static final int WAITING = 1;
  private static final int EARLY_LABEL = 2;
  private static final int LABELLED = 3;
  private static final int MISSED = 4;
  private static final int UNSCORED = 5;
  private static final int EARLY_SCORE = 6;

  private HeldCodec() {}

  static byte[] encode(Held held) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      switch (held) {
        case Held.Waiting(long at, Message record, byte[] score) -> {
          begin(out, WAITING, at);
          message(out, record);
          bytes(out, score);
        }
        case Held.EarlyLabel(long at, Message label) -> {
          begin(out, EARLY_LABEL, at);
          message(out, label);
        }
        case Held.Labelled(long at) -> begin(out, LABELLED, at);
        case Held.Missed(long at) -> begin(out, MISSED, at);
        case Held.Unscored(long at, byte[] key, Message record, Message label) -> {
          begin(out, UNSCORED, at);
          bytes(out, key);
          message(out, record);
          message(out, label);
        }
        case Held.EarlyScore(long at, byte[] score) -> {
          begin(out, EARLY_SCORE, at);
          bytes(out, score);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a byte array cannot fail to be written", e);
    }
    return bytes.toByteArray();
  }

  static Held decode(byte[] value) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      int format = in.readUnsignedByte();
      if (format != FORMAT) {
        throw new IllegalStateException(
            "the join's store holds format " + format + "; this version reads format " + FORMAT);
      }
      int kind = in.readUnsignedByte();
      long at = in.readLong();
      return switch (kind) {
        case WAITING -> new Held.Waiting(at, message(in), bytes(in));
        case EARLY_LABEL -> new Held.EarlyLabel(at, message(in));
        case LABELLED -> new Held.Labelled(at);
        case MISSED -> new Held.Missed(at);
        case UNSCORED -> new Held.Unscored(at, present(in), message(in), message(in));
        case EARLY_SCORE -> new Held.EarlyScore(at, present(in));
        default -> throw new IllegalStateException("the join's store holds a kind " + kind);
      };
    } catch (IOException e) {
      throw new UncheckedIOException("the join's store holds a cut-off value", e);
    }
  }

  private static void begin(DataOutputStream out, int kind, long expiresAt) throws IOException {
    out.writeByte(kind);
    out.writeLong(expiresAt);
  }

  private static void message(DataOutputStream out, Message message) throws IOException {
    out.writeLong(message.offset());
    out.writeLong(message.timestampMillis());
    bytes(out, message.value());
    Header[] headers = message.headers().toArray();
    out.writeInt(headers.length);
    for (Header header : headers) {
      bytes(out, header.key().getBytes(UTF_8));
      bytes(out, header.value());
    }
  }

  private static Message message(DataInputStream in) throws IOException {
    long offset = in.readLong();
    long timestamp = in.readLong();
    byte[] value = present(in);
    Headers headers = new RecordHeaders();
    for (int left = in.readInt(); left > 0; left--) {
      String name = new String(present(in), UTF_8);
      headers.add(name, bytes(in));
    }
    return new Message(offset, timestamp, value, headers);
  }

  private static void bytes(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      out.writeInt(-1);
    } else {
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  private static byte @Nullable [] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : in.readNBytes(length);
  }

  private static byte[] present(DataInputStream in) throws IOException {
    byte[] bytes = bytes(in);
    if (bytes == null) {
      throw new IOException("bytes are missing");
    }
    return bytes;
  }
}
