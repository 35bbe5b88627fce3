package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ThresholdsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] SPECIAL = {
    Double.NaN,
    -INFINITY,
    INFINITY,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    -Double.MAX_VALUE,
    Double.MAX_VALUE
  };

  @ParameterizedTest
  @MethodSource("seeds")
  void of_anyColumn_partsNeighboursAndKeepsOrder(long seed) {
    var random = new SplittableRandom(seed);
    double[] values = new double[random.nextInt(60)];
    Arrays.setAll(values, row -> value(random));
    int maxBins = random.nextInt(2, 20);
    double[] thresholds = of(values, weights(values.length), maxBins);
    double[] distinct =
        Arrays.stream(values).filter(v -> !Double.isNaN(v)).map(v -> v + 0.0).distinct().toArray();
    assertThat(thresholds.length).isLessThan(maxBins);
    for (int k = 1; k < thresholds.length; k++) {
      assertThat(thresholds[k]).isGreaterThan(thresholds[k - 1]);
    }
    int expectedBins = Math.min(maxBins, Math.max(distinct.length, 1));
    assertThat(thresholds.length + 1).isEqualTo(expectedBins);
    boolean[] used = new boolean[expectedBins];
    for (double value : distinct) {
      used[bin(thresholds, value)] = true;
    }
    if (distinct.length > 0) {
      assertThat(used).as("each bin holds a value").containsOnly(true);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void between_anyTwo_separatesThem(long seed) {
    var random = new SplittableRandom(seed);
    double a = value(random);
    double b = value(random);
    double low = Math.min(a, b);
    double high = Math.max(a, b);
    if (low < high) {
      double threshold = ThresholdFit.between(low, high);
      assertThat(low <= threshold && threshold < high).as("%s", threshold).isTrue();
    }
  }

  @Test
  void of_fewDistinctValues_cutsMidwayBetweenNeighbours() {
    double[] values = {3, 1, Double.NaN, 1, 10, 3};
    assertThat(of(values, weights(6), 255)).containsExactly(2, 6.5);
  }

  @Test
  void of_infiniteValues_areAloneInTheirBins() {
    double[] values = {-INFINITY, 5, INFINITY, 7};
    double[] thresholds = of(values, weights(4), 255);
    assertThat(thresholds).containsExactly(-INFINITY, 6, Double.MAX_VALUE);
    assertThat(bin(thresholds, -Double.MAX_VALUE)).isEqualTo(1);
    assertThat(bin(thresholds, Double.MAX_VALUE)).isEqualTo(2);
    assertThat(of(new double[] {-INFINITY, INFINITY}, weights(2), 255)).containsExactly(0);
  }

  @Test
  void of_bothZeros_areOneValue() {
    assertThat(of(new double[] {-0.0, 0.0}, weights(2), 255)).isEmpty();
  }

  @Test
  void of_neighbouringDoubles_cutsAtTheLower() {
    double next = Math.nextUp(1.0);
    assertThat(of(new double[] {next, 1}, weights(2), 255)).containsExactly(1);
  }

  @Test
  void of_constantOrMissingOnly_hasOneBin() {
    assertThat(of(new double[] {4, 4, 4}, weights(3), 255)).isEmpty();
    assertThat(of(new double[] {Double.NaN}, weights(1), 255)).isEmpty();
    assertThat(of(new double[0], weights(0), 255)).isEmpty();
  }

  @Test
  void of_manyValues_binsAreOfAboutEqualWeight() {
    var random = new SplittableRandom(1);
    double[] values = new double[10_000];
    double[] weights = new double[values.length];
    double total = 0;
    for (int row = 0; row < values.length; row++) {
      values[row] = random.nextDouble();
      weights[row] = row % 2 == 0 ? 1 : 3;
      total += weights[row];
    }
    double[] thresholds = of(values, weights, 50);
    double[] mass = new double[50];
    for (int row = 0; row < values.length; row++) {
      mass[bin(thresholds, values[row])] += weights[row];
    }
    for (double inBin : mass) {
      assertThat(inBin).isBetween(total / 50 - 4, total / 50 + 4);
    }
  }

  @Test
  void of_oneHeavyValue_hasItsOwnBinAndTheRestShare() {
    double[] values = new double[2000];
    for (int row = 0; row < values.length; row++) {
      values[row] = row < 1000 ? 500 : row - 1000;
    }
    double[] thresholds = of(values, weights(2000), 11);
    int heavy = bin(thresholds, 500);
    assertThat(bin(thresholds, 490)).isLessThan(heavy);
    assertThat(bin(thresholds, 510)).isGreaterThan(heavy);
    assertThat(thresholds).hasSize(10);
  }

  private static double[] of(double[] values, double[] weights, int maxBins) {
    var fit = new ThresholdFit(values.length, new Buffers());
    return fit.of(values, values.length, weights, maxBins);
  }

  /** The bin of a value that is not NaN: how many thresholds are below it. */
  static int bin(double[] thresholds, double value) {
    return (int) Arrays.stream(thresholds).filter(threshold -> threshold < value).count();
  }

  private static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  /** Any double at all, or one of few, so that columns have repetitions and neighbours. */
  private static double value(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> Double.longBitsToDouble(random.nextLong());
      case 1 -> SPECIAL[random.nextInt(SPECIAL.length)];
      case 2 -> 1 + random.nextInt(3) * Math.ulp(1.0);
      default -> random.nextInt(8);
    };
  }

  private static double[] weights(int rows) {
    double[] weights = new double[rows];
    Arrays.fill(weights, 1);
    return weights;
  }
}
