package io.holdfast.trainer.window;

import io.holdfast.schemas.settings.ModelSettings;
import io.holdfast.schemas.version.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Draws rows without dice: each position in the log has a fixed number, spread evenly over all
 * longs, and those with the lowest numbers are drawn. Immutable.
 */
public final class RowPriority {
  /*
   * The number is SipHash-2-4 of (partition, offset). Its key is the first 16 bytes of the SHA-256 of
   * "seed/model/purpose", so that models and purposes draw independently.
   */
  private final long key0;
  private final long key1;

  private RowPriority(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /** For one purpose, a word. */
  public static RowPriority of(ModelSettings model, String purpose) {
    String text = model.booster().seed() + "/" + model.name() + "/" + purpose;
    ByteBuffer digest =
        ByteBuffer.wrap(Digest.of(text.getBytes(StandardCharsets.UTF_8)).bytes())
            .order(ByteOrder.LITTLE_ENDIAN);
    return new RowPriority(digest.getLong(), digest.getLong());
  }

  /** The position's number, compared as signed. */
  public long of(Position position) {
    return sipHash(key0, key1, position.partition(), position.offset());
  }

  /** Whether the position is among that share, 0 to 1, of all positions. */
  public boolean within(double share, Position position) {
    // the upper 53 bits as a number in [0, 1)
    return (of(position) >>> 11) * 0x1.0p-53 < share;
  }

  /**
   * SipHash-2-4 of two little-endian words under a key of two: a keyed hash of 64 bits (Aumasson
   * and Bernstein, "SipHash: a fast short-input PRF", 2012).
   */
  static long sipHash(long key0, long key1, long word0, long word1) {
    long[] v = {
      key0 ^ 0x736f6d6570736575L,
      key1 ^ 0x646f72616e646f6dL,
      key0 ^ 0x6c7967656e657261L,
      key1 ^ 0x7465646279746573L
    };
    compress(v, word0);
    compress(v, word1);
    compress(v, 16L << 56); // the length, and no bytes are left over
    v[2] ^= 0xff;
    for (int round = 0; round < 4; round++) {
      round(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static void compress(long[] v, long word) {
    v[3] ^= word;
    round(v);
    round(v);
    v[0] ^= word;
  }

  private static void round(long[] v) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
    v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
    v[0] = Long.rotateLeft(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
    v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
    v[2] = Long.rotateLeft(v[2], 32);
  }
}
