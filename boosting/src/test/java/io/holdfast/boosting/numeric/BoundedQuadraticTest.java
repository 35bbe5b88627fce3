package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundedQuadraticTest {
  private static final double[] FREE = {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};

  @ParameterizedTest
  @CsvSource({"0, 3", "0.5, 3", "0.5, 0.1", "2, 0.5", "100, 1", "0.001, 1e-3"})
  void minimise_randomSystems_noCoordinateWantsToMove(double lambda, double bound) {
    for (int seed = 0; seed < 50; seed++) {
      var random = new SplittableRandom(seed);
      int n = 1 + random.nextInt(12);
      double[] matrix = coupled(random, n, StrictMath.exp(10 * random.nextDouble()));
      double[] linear = numbers(random, n, 3);
      double[] lower = new double[n];
      double[] upper = new double[n];
      Arrays.setAll(
          lower, j -> random.nextInt(3) == 0 ? FREE[0] : bound * (random.nextDouble() - 1.3));
      Arrays.setAll(
          upper, j -> random.nextInt(3) == 0 ? FREE[1] : bound * (random.nextDouble() + 0.3));
      double[] x = numbers(random, n, 5);
      BoundedQuadratic.minimise(matrix, linear, lambda, lower, upper, x);
      checkLeast(matrix, linear, lambda, lower, upper, x);
    }
  }

  /** So stiffly coupled that coordinate descent alone would need some million sweeps. */
  @Test
  void minimise_stiffSystem_isSolvedToTheLastDigits() {
    int n = 5;
    double[] matrix = new double[n * n];
    Arrays.fill(matrix, 1e6);
    for (int j = 0; j < n; j++) {
      matrix[j * n + j] += 1;
    }
    double[] linear = {-3, 1, 0.25, -2, 0.5};
    double[] lower = new double[n];
    double[] upper = new double[n];
    Arrays.fill(lower, -10);
    Arrays.fill(upper, 10);
    double[] x = new double[n];
    BoundedQuadratic.minimise(matrix, linear, 0.1, lower, upper, x);
    checkLeast(matrix, linear, 0.1, lower, upper, x);
  }

  @Test
  void minimise_flatDirection_staysFinite() {
    double[] matrix = {1, -1, 0, -1, 1, 0, 0, 0, 0};
    double[] linear = {-2, 2, 0};
    double[] x = {4, 4, 4};
    double[] lower = {FREE[0], FREE[0], FREE[0]};
    double[] upper = {FREE[1], FREE[1], FREE[1]};
    BoundedQuadratic.minimise(matrix, linear, 0, lower, upper, x);
    assertThat(x[0] - x[1]).isCloseTo(2, within(1e-12));
  }

  @Test
  void softThreshold_drawsTowardsZeroAndNoFurther() {
    assertThat(BoundedQuadratic.softThreshold(3, 1)).isEqualTo(2);
    assertThat(BoundedQuadratic.softThreshold(-3, 1)).isEqualTo(-2);
    assertThat(BoundedQuadratic.softThreshold(-0.5, 1)).isEqualTo(0.0);
    assertThat(BoundedQuadratic.softThreshold(-0.5, 0)).isEqualTo(-0.5);
    assertThat(BoundedQuadratic.softThreshold(Double.NaN, 1)).isNaN();
  }

  /** A convex function has its least value where no coordinate's slope leads down. */
  private static void checkLeast(
      double[] matrix, double[] linear, double lambda, double[] lower, double[] upper, double[] x) {
    int n = x.length;
    for (int j = 0; j < n; j++) {
      assertThat(x[j]).isBetween(lower[j], upper[j]);
      double slope = linear[j];
      double scale = Math.abs(linear[j]) + lambda;
      for (int k = 0; k < n; k++) {
        slope += matrix[j * n + k] * x[k];
        scale += Math.abs(matrix[j * n + k] * x[k]);
      }
      double slack = 1e-9 * scale;
      if (x[j] < upper[j]) {
        assertThat(slope + (x[j] < 0 ? -lambda : lambda)).isGreaterThanOrEqualTo(-slack);
      }
      if (x[j] > lower[j]) {
        assertThat(slope + (x[j] > 0 ? lambda : -lambda)).isLessThanOrEqualTo(slack);
      }
    }
  }

  private static double[] coupled(SplittableRandom random, int n, double strength) {
    double[] direction = numbers(random, n, 2);
    double[] matrix = new double[n * n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        matrix[a * n + b] = strength * direction[a] * direction[b];
      }
      matrix[a * n + a] += 0.1 + random.nextDouble();
    }
    return matrix;
  }

  private static double[] numbers(SplittableRandom random, int n, double width) {
    double[] numbers = new double[n];
    Arrays.setAll(numbers, j -> width * (random.nextDouble() - 0.5));
    return numbers;
  }
}
