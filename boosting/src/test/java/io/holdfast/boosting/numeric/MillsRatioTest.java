package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.hipparchus.special.Erf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MillsRatioTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-10);

  @Test
  void tail_everywhere_agreesWithErfc() {
    for (double x = -8; x <= 12; x += 0.0625) {
      assertThat(MillsRatio.tail(x))
          .as("x=%s", x)
          .isCloseTo(0.5 * Erf.erfc(x / Math.sqrt(2)), CLOSE);
    }
  }

  @Test
  void minusLogTail_itsSlope_isTheHazard() {
    for (double x = -30; x <= 50; x += 0.3) {
      double step = 1e-5 * Math.max(1, Math.abs(x));
      double slope =
          (MillsRatio.minusLogTail(x + step) - MillsRatio.minusLogTail(x - step)) / (2 * step);
      assertThat(MillsRatio.hazard(x)).as("x=%s", x).isCloseTo(slope, within(1e-6));
    }
  }

  @Test
  void hazard_whereTheMethodsMeet_isContinuous() {
    for (double x : new double[] {0, 4}) {
      double below = MillsRatio.hazard(Math.nextDown(x));
      double above = MillsRatio.hazard(Math.nextUp(x));
      assertThat(above).isCloseTo(below, Percentage.withPercentage(1e-13));
      assertThat(MillsRatio.excess(Math.nextUp(x), above))
          .isCloseTo(MillsRatio.excess(Math.nextDown(x), below), Percentage.withPercentage(1e-12));
    }
  }

  @Test
  void hazard_farOut_isFinite() {
    for (double x : new double[] {-1e6, -745, -40, 40, 745, 1e6}) {
      double hazard = MillsRatio.hazard(x);
      assertThat(hazard).isFinite().isNotNegative();
      assertThat(hazard * MillsRatio.excess(x, hazard)).as("slope at %s", x).isBetween(0.0, 1.0);
      assertThat(MillsRatio.minusLogTail(x)).isFinite().isNotNegative();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-12, 0.01, 0.3, 0.5, 0.77, 0.999, 1})
  void quantile_ofATail_isWhereItWas(double part) {
    double x = MillsRatio.quantile(part, 1);
    double p = part / (part + 1);
    assertThat(MillsRatio.tail(-x)).isCloseTo(p, Percentage.withPercentage(1e-9));
    assertThat(MillsRatio.quantile(1, part)).isEqualTo(-x);
  }
}
