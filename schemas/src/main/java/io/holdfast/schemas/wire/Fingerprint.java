package io.holdfast.schemas.wire;

import java.util.HexFormat;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * The CRC-64-AVRO fingerprint of a schema's parsing canonical form. It covers names, types and
 * their order, but not defaults, docs or logical types.
 */
public final class Fingerprint {
  private Fingerprint() {}

  public static long of(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  /** 16 lower-case hexadecimal digits, highest first. */
  public static String hex(long fingerprint) {
    return HexFormat.of().toHexDigits(fingerprint);
  }

  /** The fingerprint that {@link #hex} wrote. */
  public static long parse(String hex) {
    if (hex.length() != 16) {
      throw new IllegalArgumentException("a fingerprint must be 16 hexadecimal digits: " + hex);
    }
    return HexFormat.fromHexDigitsToLong(hex);
  }
}
