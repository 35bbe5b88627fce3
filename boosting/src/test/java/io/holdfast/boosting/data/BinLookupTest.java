package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BinLookupTest {
  private final BinLookup lookup = new BinLookup();

  @ParameterizedTest
  @MethodSource("seeds")
  void find_anyThresholdsInTurn_countsThoseBelow(long seed) {
    var random = new SplittableRandom(seed);
    for (int column = 0; column < 20; column++) {
      double[] thresholds = thresholds(random);
      double[] values = values(thresholds, random);
      lookup.prepare(thresholds);
      int missing = thresholds.length + 1;
      char[] expected = new char[values.length];
      byte[] expectedBytes = new byte[values.length];
      for (int row = 0; row < values.length; row++) {
        boolean present = !Double.isNaN(values[row]);
        expected[row] = (char) (present ? ThresholdsTest.bin(thresholds, values[row]) : missing);
        expectedBytes[row] = (byte) expected[row];
      }
      char[] chars = new char[values.length];
      lookup.find(values, values.length, chars, missing);
      assertThat(chars).as("column %s", column).isEqualTo(expected);
      byte[] bytes = new byte[values.length];
      lookup.find(values, values.length, bytes, missing);
      assertThat(bytes).as("column %s", column).isEqualTo(expectedBytes);
    }
  }

  /** On even, uneven and extreme scales, and none at all. */
  private static double[] thresholds(SplittableRandom random) {
    int scale = random.nextInt(6);
    double[] thresholds = new double[random.nextInt(255)];
    Arrays.setAll(
        thresholds,
        k ->
            switch (scale) {
              case 0 -> random.nextGaussian();
              case 1 -> Math.exp(5 * random.nextGaussian());
              case 2 -> Double.longBitsToDouble(random.nextLong());
              case 3 -> 1 + random.nextInt(300) * Math.ulp(1.0);
              case 4 -> random.nextInt(-2, 3) * Double.MIN_VALUE;
              default -> k == 0 ? Double.NEGATIVE_INFINITY : k == 1 ? Double.MAX_VALUE : 2 * k;
            });
    return Arrays.stream(thresholds)
        .filter(t -> !Double.isNaN(t) && t != Double.POSITIVE_INFINITY)
        .sorted()
        .distinct()
        .toArray();
  }

  /** Thresholds, what is next to them, what is far from them, and NaN. */
  private static double[] values(double[] thresholds, SplittableRandom random) {
    double[] values = new double[400];
    for (int row = 0; row < values.length; row++) {
      double near =
          thresholds.length == 0 ? 0 : thresholds[random.nextInt(thresholds.length)] + 0.0;
      values[row] =
          switch (random.nextInt(9)) {
            case 0 -> Math.nextUp(near);
            case 1 -> Math.nextDown(near);
            case 2 -> near;
            case 3 -> near * (1 + 0.1 * random.nextGaussian());
            case 4 -> Double.POSITIVE_INFINITY;
            case 5 -> Double.NEGATIVE_INFINITY;
            case 6 -> Double.NaN;
            case 7 -> random.nextBoolean() ? 0.0 : -0.0;
            default -> Double.longBitsToDouble(random.nextLong());
          };
    }
    return values;
  }

  private static LongStream seeds() {
    return LongStream.range(0, 100);
  }
}
