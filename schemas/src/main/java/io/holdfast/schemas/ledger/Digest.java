package io.holdfast.schemas.ledger;

import io.holdfast.boosting.Check;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 digest in lower-case hexadecimal, 64 characters. */
public record Digest(String hex) {
  public Digest {
    Check.that(
        hex.matches("[0-9a-f]{64}"), "a SHA-256 digest must be 64 hexadecimal digits: %s", hex);
  }

  /** The digest of {@code bytes}. */
  public static Digest of(byte[] bytes) {
    try {
      return new Digest(
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A digest from its 32 bytes. */
  public static Digest fromBytes(byte[] bytes) {
    return new Digest(HexFormat.of().formatHex(bytes));
  }

  /** The 32 bytes. */
  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
