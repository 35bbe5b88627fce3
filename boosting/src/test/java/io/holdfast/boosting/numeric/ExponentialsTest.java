package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExponentialsTest {
  @ParameterizedTest
  @ValueSource(doubles = {1e-12, 1e-3, 0.1, 1, 30, 690})
  void exp_anySize_isTheExponentialToThreeUnits(double size) {
    var random = new SplittableRandom(1);
    for (int k = 0; k < 20_000; k++) {
      double x = random.nextDouble(-size, size);
      double expected = StrictMath.exp(x);
      assertThat(Exponentials.exp(x))
          .as("x=%s", x)
          .isCloseTo(expected, within(3 * Math.ulp(expected)));
    }
  }

  @Test
  void exp_farOut_isThatOfStrictMath() {
    for (double x : new double[] {-1e300, -800, -740, -701, 701, 709.7, 800}) {
      assertThat(Exponentials.exp(x)).isEqualTo(StrictMath.exp(x));
    }
    assertThat(Exponentials.exp(Double.NaN)).isNaN();
    assertThat(Exponentials.exp(0)).isOne();
    assertThat(Exponentials.exp(-0.0)).isOne();
    assertThat(Exponentials.exp(Double.NEGATIVE_INFINITY)).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-12, 1e-3, 0.1, 1})
  void logOnePlus_anySize_isTheLogarithmToThreeUnits(double size) {
    var random = new SplittableRandom(2);
    for (int k = 0; k < 20_000; k++) {
      double x = random.nextDouble(0, size);
      double expected = StrictMath.log1p(x);
      assertThat(Exponentials.logOnePlus(x))
          .as("x=%s", x)
          .isCloseTo(expected, within(3 * Math.ulp(expected)));
    }
    assertThat(Exponentials.logOnePlus(0)).isZero();
    assertThat(Exponentials.logOnePlus(1)).isCloseTo(StrictMath.log(2), within(1e-15));
  }

  @Test
  void blocks_anyNumbers_areThoseOfOneByOneToTheBit() {
    var random = new SplittableRandom(3);
    double[] x = new double[700];
    double[] y = new double[700];
    for (int k = 0; k < x.length; k++) {
      x[k] = random.nextDouble(-1, 1) * (k % 3 == 0 ? 1 : 800);
      y[k] = k % 5 == 0 ? k % 2 : random.nextDouble();
    }
    x[0] = Double.NaN;
    x[1] = Double.NEGATIVE_INFINITY;
    x[2] = Double.POSITIVE_INFINITY;
    x[3] = -0.0;
    for (int count : new int[] {0, 1, 7, 64, 700}) {
      double[] exponentials = new double[700];
      double[] logarithms = new double[700];
      Exponentials.exp(x, count, exponentials, new double[700]);
      Exponentials.logOnePlus(y, count, logarithms, new double[700]);
      for (int k = 0; k < count; k++) {
        assertThat(Double.doubleToLongBits(exponentials[k]))
            .isEqualTo(Double.doubleToLongBits(Exponentials.exp(x[k])));
        assertThat(logarithms[k]).isEqualTo(Exponentials.logOnePlus(y[k]));
      }
    }
  }
}
