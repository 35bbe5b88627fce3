package io.holdfast.cli.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes Avro bodies, one after the other. Owned by one thread. */
final class BodyWriter {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LONGEST_NUMBER = 10;

  private byte[] bytes = new byte[512];
  private int length;

  void writeLong(long value) {
    long raw = (value << 1) ^ (value >> 63);
    require(LONGEST_NUMBER);
    while ((raw & ~0x7FL) != 0) {
      bytes[length++] = (byte) ((raw & 0x7F) | 0x80);
      raw >>>= 7;
    }
    bytes[length++] = (byte) raw;
  }

  void writeTruth(boolean value) {
    require(1);
    bytes[length++] = (byte) (value ? 1 : 0);
  }

  void writeDoubleBits(long bits) {
    require(Double.BYTES);
    LONG.set(bytes, length, bits);
    length += Double.BYTES;
  }

  /** A string, of its UTF-8 bytes. */
  void writeText(byte[] from, int at, int count) {
    writeLong(count);
    require(count);
    System.arraycopy(from, at, bytes, length, count);
    length += count;
  }

  /** The body written so far; another begins. */
  byte[] body() {
    byte[] body = Arrays.copyOf(bytes, length);
    length = 0;
    return body;
  }

  private void require(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length + more);
    }
  }
}
