package io.holdfast.boosting.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.numeric.Buffers;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ThresholdFitTest {
  private static final int MOST = 20_000;

  @ParameterizedTest
  @MethodSource("seeds")
  void of_anyColumnsInTurn_cutsAsAWholeSortDoes(long seed) {
    var random = new SplittableRandom(seed);
    var fit = new ThresholdFit(MOST, new Buffers());
    for (int column = 0; column < 10; column++) {
      double[] values = column(random);
      int maxBins = random.nextInt(1, random.nextBoolean() ? 20 : 300);
      double @Nullable [] weights = null;
      if (random.nextInt(4) == 0) {
        weights = random.doubles(values.length, 0.5, 2).toArray();
      }
      assertThat(fit.of(values, values.length, weights, maxBins))
          .as("column %s of %s rows, %s bins", column, values.length, maxBins)
          .isEqualTo(bySorting(values, weights, maxBins));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void sortAll_anyColumn_sorts(long seed) {
    var random = new SplittableRandom(seed);
    var sort = new BucketSort(MOST, new double[MOST], new Buffers());
    for (int column = 0; column < 10; column++) {
      double[] values = column(random);
      double[] expected =
          Arrays.stream(values).filter(v -> !Double.isNaN(v)).map(v -> v + 0.0).sorted().toArray();
      assertThat(sort.distribute(values, values.length)).isEqualTo(expected.length);
      sort.sortAll();
      assertThat(Arrays.copyOf(sort.sorted, expected.length)).isEqualTo(expected);
      assertThat(sort.start(sort.buckets())).isEqualTo(expected.length);
    }
  }

  /** Smooth, of few values, on different scales, clumped; some missing, some that are extreme. */
  private static double[] column(SplittableRandom random) {
    int kind = random.nextInt(7);
    double spread = Math.pow(10, random.nextInt(-3, 4));
    double[] values =
        new double[random.nextInt(3) == 0 ? random.nextInt(50) : random.nextInt(MOST)];
    Arrays.setAll(
        values,
        row ->
            switch (kind) {
              case 0, 1 -> spread * random.nextGaussian();
              case 2 -> Math.rint(spread * random.nextGaussian());
              case 3 -> Math.exp(Math.cbrt(spread) * random.nextGaussian());
              case 4 -> random.nextInt(3) == 0 ? 7 : spread * random.nextDouble();
              case 5 -> Double.longBitsToDouble(random.nextLong());
              default -> 1 + random.nextInt(2000) * Math.ulp(1.0);
            });
    for (int k = random.nextBoolean() ? values.length / 10 : 0; k > 0; k--) {
      values[random.nextInt(values.length)] =
          switch (random.nextInt(6)) {
            case 0 -> Double.POSITIVE_INFINITY;
            case 1 -> Double.NEGATIVE_INFINITY;
            case 2 -> Double.MAX_VALUE;
            case 3 -> -0.0;
            default -> Double.NaN;
          };
    }
    return values;
  }

  /** The definition, level by level. */
  private static double[] bySorting(double[] values, double @Nullable [] weights, int maxBins) {
    double[] levels =
        Arrays.stream(values)
            .filter(v -> !Double.isNaN(v))
            .map(v -> v + 0.0)
            .sorted()
            .distinct()
            .toArray();
    double[] mass = new double[levels.length];
    for (int row = 0; row < values.length; row++) {
      if (!Double.isNaN(values[row])) {
        mass[Arrays.binarySearch(levels, values[row] + 0.0)] += weights == null ? 1 : weights[row];
      }
    }
    double left = Arrays.stream(mass).sum();
    double inBin = 0;
    double[] thresholds = new double[levels.length];
    int made = 0;
    for (int k = 0; k < levels.length - 1 && made < maxBins - 1; k++) {
      inBin += mass[k];
      boolean full = inBin + 0.5 * mass[k + 1] >= left / (maxBins - made);
      boolean oneEach = levels.length - 1 - k <= maxBins - 1 - made;
      if (full || oneEach) {
        thresholds[made++] = ThresholdFit.between(levels[k], levels[k + 1]);
        left -= inBin;
        inBin = 0;
      }
    }
    return Arrays.copyOf(thresholds, made);
  }

  private static LongStream seeds() {
    return LongStream.range(0, 60);
  }
}
