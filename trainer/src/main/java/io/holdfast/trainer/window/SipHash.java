package io.holdfast.trainer.window;

/**
 * SipHash-2-4 of 16 bytes: a keyed hash of 64 bits (Aumasson and Bernstein, "SipHash: a fast
 * short-input PRF", 2012). Stateless.
 */
final class SipHash {
  private static final int BYTES = 16;

  private SipHash() {}

  /** The hash of two little-endian words under a key of two. */
  static long of(long key0, long key1, long word0, long word1) {
    long[] v = {
      key0 ^ 0x736f6d6570736575L,
      key1 ^ 0x646f72616e646f6dL,
      key0 ^ 0x6c7967656e657261L,
      key1 ^ 0x7465646279746573L
    };
    compress(v, word0);
    compress(v, word1);
    compress(v, (long) BYTES << 56); // the length, and no bytes are left over
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
