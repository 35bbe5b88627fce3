package io.holdfast.cli.models;

import io.holdfast.cli.options.CommandException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/** How the bytes of a Kafka key are written on a command line. */
enum KeyType {
  TEXT,
  INT,
  LONG,
  UUID,
  HEX;

  /** The bytes that Kafka's serializer of that type makes. */
  byte[] bytes(String key) {
    try {
      return switch (this) {
        case TEXT -> key.getBytes(StandardCharsets.UTF_8);
        case INT -> ByteBuffer.allocate(Integer.BYTES).putInt(Integer.parseInt(key)).array();
        case LONG -> ByteBuffer.allocate(Long.BYTES).putLong(Long.parseLong(key)).array();
        case UUID -> {
          UUID id = java.util.UUID.fromString(key);
          yield ByteBuffer.allocate(2 * Long.BYTES)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .array();
        }
        case HEX -> HexFormat.of().parseHex(key);
      };
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--key %s is no key of type %s", key, this);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
