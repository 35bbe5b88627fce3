package io.holdfast.schemas.version;

import io.holdfast.boosting.numeric.Check;
import io.holdfast.schemas.avro.Sha256Digest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 digest in lower-case hexadecimal, 64 characters. */
public record Digest(String hex) {
  private static final int DIGITS = 64;

  /** Never fed: copies are. Asking the platform's providers takes longer than a short digest. */
  private static final MessageDigest EMPTY = begin();

  public Digest {
    Check.that(isDigest(hex), "a SHA-256 digest must be 64 hexadecimal digits: %s", hex);
  }

  private static boolean isDigest(String hex) {
    for (int k = 0; k < hex.length(); k++) {
      char digit = hex.charAt(k);
      if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f')) {
        return false;
      }
    }
    return hex.length() == DIGITS;
  }

  /** The digest of {@code bytes}. */
  public static Digest of(byte[] bytes) {
    return fromBytes(bytesOf(bytes));
  }

  /** The 32 bytes of that digest. */
  public static byte[] bytesOf(byte[] bytes) {
    try {
      return ((MessageDigest) EMPTY.clone()).digest(bytes);
    } catch (CloneNotSupportedException e) {
      return begin().digest(bytes); // a platform whose digests cannot be copied
    }
  }

  /** A digest of bytes that come one after the other. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A digest as contracts store it. */
  public static Digest of(Sha256Digest stored) {
    return fromBytes(stored.bytes());
  }

  /** The same to contracts. */
  public Sha256Digest stored() {
    return new Sha256Digest(bytes());
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
