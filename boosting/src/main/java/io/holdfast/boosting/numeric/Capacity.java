package io.holdfast.boosting.numeric;

/**
 * Arrays that are used again for other sizes: each method gives the array itself if it is long
 * enough, else a new one with some room to grow. What they hold is anything. Stateless.
 */
public final class Capacity {
  private Capacity() {}

  /** At least {@code size} entries. */
  public static double[] of(double[] array, int size) {
    return array.length >= size ? array : new double[roomy(size)];
  }

  /** At least {@code size} entries. */
  public static long[] of(long[] array, int size) {
    return array.length >= size ? array : new long[roomy(size)];
  }

  /** At least {@code size} entries. */
  public static int[] of(int[] array, int size) {
    return array.length >= size ? array : new int[roomy(size)];
  }

  /** At least {@code size} entries. */
  public static char[] of(char[] array, int size) {
    return array.length >= size ? array : new char[roomy(size)];
  }

  /** At least {@code size} entries. */
  public static byte[] of(byte[] array, int size) {
    return array.length >= size ? array : new byte[roomy(size)];
  }

  private static int roomy(int size) {
    return (int) Math.min(size + (long) size / 8, Integer.MAX_VALUE - 8);
  }
}
