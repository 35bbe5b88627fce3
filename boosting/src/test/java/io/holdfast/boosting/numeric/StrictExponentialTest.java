package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictExponentialTest {
  private static final double LOG_2 = StrictMath.log(2);

  @ParameterizedTest
  @ValueSource(doubles = {1e-9, 1e-6, 0.1, 0.5, 2, 20, 100, 800})
  void exp_random_isThatOfStrictMath(double furthest) {
    var random = new SplittableRandom((long) (1e9 * furthest));
    double[] x = new double[20_000];
    for (int k = 0; k < x.length; k++) {
      x[k] = -furthest * random.nextDouble();
    }
    check(x);
  }

  /** Where other branches of StrictMath begin, and where the power of two changes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 10, 100, 1000, 2040})
  void exp_aboutHalvesOfLog2_isThatOfStrictMath(int halves) {
    double[] x = new double[40_000];
    double from = -0.5 * halves * LOG_2;
    for (int k = 0; k < x.length; k++) {
      int step = k / 2 - x.length / 4;
      x[k] = k % 2 == 0 ? from + step * Math.ulp(from) : from * (1 + step * 0x1p-36);
    }
    check(x);
  }

  @Test
  void exp_extremes_areThoseOfStrictMath() {
    check(
        -0.0,
        0.0,
        -Double.MIN_VALUE,
        -Double.MIN_NORMAL,
        -0x1p-28,
        -0x1p-27,
        -0x1.0000000000001p-27,
        -700,
        -700.0000000000001,
        -708.4,
        -745.13,
        -746,
        -1e300,
        Double.NEGATIVE_INFINITY,
        Double.NaN);
  }

  private static void check(double... x) {
    double[] result = new double[x.length];
    StrictExponential.exp(x, x.length, result, new double[x.length]);
    for (int k = 0; k < x.length; k++) {
      if (Double.doubleToRawLongBits(result[k])
          != Double.doubleToRawLongBits(StrictMath.exp(x[k]))) {
        assertThat(result[k]).as("exp(%s)", x[k]).isEqualTo(StrictMath.exp(x[k]));
      }
    }
  }
}
