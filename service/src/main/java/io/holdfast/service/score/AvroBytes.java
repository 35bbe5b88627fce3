package io.holdfast.service.score;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Avro's numbers in arrays of bytes. Stateless. */
final class AvroBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private AvroBytes() {}

  static int writeDouble(byte[] bytes, int at, double value) {
    LONG.set(bytes, at, Double.doubleToRawLongBits(value));
    return at + Double.BYTES;
  }

  /** Avro's int and long: zigzag, seven bits a byte, the low ones first. */
  static int writeLong(byte[] bytes, int from, long value) {
    long left = (value << 1) ^ (value >> 63);
    int at = from;
    while ((left & ~0x7FL) != 0) {
      bytes[at++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[at] = (byte) left;
    return at + 1;
  }

  static int lengthOf(long value) {
    long zigzag = (value << 1) ^ (value >> 63);
    return (70 - Long.numberOfLeadingZeros(zigzag | 1)) / 7;
  }
}
