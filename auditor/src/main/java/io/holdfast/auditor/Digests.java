package io.holdfast.auditor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** 64 bits that tell what an audit compares from each other; never 0. Stateless. */
final class Digests {
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

  static double[] doubles(Object list) {
    return ((List<?>) list).stream().mapToDouble(one -> (double) one).toArray();
  }

  private static long mixed(long x) {
    long z = x * 0x9E3779B97F4A7C15L;
    return z ^ (z >>> 29);
  }
}
