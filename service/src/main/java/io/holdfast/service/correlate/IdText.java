package io.holdfast.service.correlate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids as text, for scores: keys are bytes of a type that nothing names. Stateless. */
public final class IdText {
  private static final int MAX_BYTES = 4_096; // of text as of fields; a score is not to be larger

  private IdText() {}

  /**
   * The UTF-8 text of an id; null if there is none, or it is longer than 4,096 bytes. Text without
   * control characters stays as it is, and is not copied. Of the rest, 4 and 8 bytes are a whole
   * number, as Kafka's own serializers write it, 16 bytes are a UUID, and all else is hexadecimal.
   */
  public static byte @Nullable [] of(byte @Nullable [] id) {
    if (id == null || id.length > MAX_BYTES) {
      return null;
    }
    if (isText(id)) {
      return id;
    }
    ByteBuffer bytes = ByteBuffer.wrap(id);
    String text =
        switch (id.length) {
          case Integer.BYTES -> Integer.toString(bytes.getInt());
          case Long.BYTES -> Long.toString(bytes.getLong());
          case 2 * Long.BYTES -> new UUID(bytes.getLong(), bytes.getLong()).toString();
          default -> HexFormat.of().formatHex(id);
        };
    return text.getBytes(UTF_8);
  }

  private static boolean isText(byte[] id) {
    boolean ascii = true;
    for (byte one : id) {
      if ((one >= 0 && one < ' ') || one == 0x7F) {
        return false;
      }
      ascii &= one >= 0;
    }
    return ascii || new String(id, UTF_8).indexOf('\uFFFD') < 0;
  }
}
