package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SigmoidTest {
  private static final Percentage CLOSE = Percentage.withPercentage(1e-12);

  @Test
  void of_farOut_keepsBothTails() {
    assertThat(Sigmoid.of(-700)).isCloseTo(Math.exp(-700), CLOSE);
    assertThat(Sigmoid.of(700)).isEqualTo(1);
    assertThat(Sigmoid.of(Double.NEGATIVE_INFINITY)).isZero();
    assertThat(Sigmoid.of(Double.POSITIVE_INFINITY)).isEqualTo(1);
    assertThat(Sigmoid.slope(Double.POSITIVE_INFINITY)).isZero();
    for (double x = -40; x <= 40; x += 0.3) {
      assertThat(Sigmoid.of(x) + Sigmoid.of(-x)).isCloseTo(1, within(1e-15));
      assertThat(Sigmoid.slope(x)).isCloseTo(Sigmoid.of(x) * Sigmoid.of(-x), CLOSE);
      assertThat(Math.exp(-Sigmoid.logOnePlusExp(-x))).isCloseTo(Sigmoid.of(x), CLOSE);
    }
  }

  @Test
  void difference_ofNearNumbersAndOfTails_doesNotCancel() {
    double slope = Sigmoid.slope(2);
    assertThat(Sigmoid.difference(2 + 0x1p-30, 2)).isCloseTo(slope * 0x1p-30, within(1e-18));
    assertThat(Sigmoid.difference(60, 59))
        .isCloseTo(Math.exp(-59) * -Math.expm1(-1), Percentage.withPercentage(1e-9));
    assertThat(Sigmoid.difference(-3, 1)).isCloseTo(Sigmoid.of(-3) - Sigmoid.of(1), CLOSE);
    assertThat(Sigmoid.difference(1, Double.NEGATIVE_INFINITY)).isEqualTo(Sigmoid.of(1));
    assertThat(Sigmoid.difference(Double.NEGATIVE_INFINITY, 1)).isEqualTo(-Sigmoid.of(1));
    assertThat(Sigmoid.difference(5, 5)).isZero();
  }

  @Test
  void minusLogOneMinusExp_ofSmallAndLarge_doesNotCancel() {
    assertThat(Sigmoid.minusLogOneMinusExp(1e-12)).isCloseTo(0.5e-12 - Math.log(1e-12), CLOSE);
    assertThat(Sigmoid.minusLogOneMinusExp(50)).isCloseTo(Math.exp(-50), CLOSE);
    assertThat(Sigmoid.minusLogOneMinusExp(Double.POSITIVE_INFINITY)).isZero();
    assertThat(Sigmoid.minusLogOneMinusExp(Math.log(2))).isCloseTo(Math.log(2), CLOSE);
  }
}
