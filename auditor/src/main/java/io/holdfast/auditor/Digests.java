package io.holdfast.auditor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** 64 bits that tell what an audit compares from each other; never 0. Stateless. */
final class Digests {
  private static final long UPPER = 0xFFFF_FFFF_0000_0000L;

  private Digests() {}

  static long of(byte @Nullable [] bytes) {
    if (bytes == null) {
      return 1;
    }
    long hash = 0xCBF29CE484222325L ^ bytes.length;
    for (byte one : bytes) {
      hash = mixed(hash ^ one);
    }
    return hash == 0 ? 1 : hash;
  }

  static long of(@Nullable String text) {
    return of(text == null ? null : text.getBytes(UTF_8));
  }

  static long of(double[] numbers) {
    long hash = numbers.length;
    for (double number : numbers) {
      hash = mixed(hash ^ Double.doubleToLongBits(number));
    }
    return hash == 0 ? 1 : hash;
  }

  /**
   * Of raw scores, and of how sure they are: {@code said} is 0 where that is not said. The upper
   * half is of the raw scores alone.
   */
  static long of(double[] raw, long said) {
    long hash = of(raw);
    return said == 0 ? hash : (hash & UPPER) | 1 | (said >>> 32);
  }

  /** Whether two are of the same raw scores, however sure. */
  static boolean sameRaw(long one, long other) {
    return ((one ^ other) & UPPER) == 0;
  }

  static double[] doubles(Object list) {
    return ((List<?>) list).stream().mapToDouble(one -> (double) one).toArray();
  }

  private static long mixed(long x) {
    long z = x * 0x9E3779B97F4A7C15L;
    return z ^ (z >>> 29);
  }
}
