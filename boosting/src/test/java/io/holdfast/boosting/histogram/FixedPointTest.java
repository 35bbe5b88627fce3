package io.holdfast.boosting.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixedPointTest {
  @ParameterizedTest
  @ValueSource(doubles = {Double.MIN_VALUE, 1e-290, 1e-9, 0.75, 1, 3, 1e9, 1e300})
  void of_anySize_sumsFitAndAreFine(double largest) {
    for (int count : new int[] {1, 2, 1_000, 5_000_000}) {
      var steps = FixedPoint.of(largest, count);
      assertThat(steps.usable()).isTrue();
      assertThat(Math.getExponent(steps.unit)).isBetween(-1000, 1000);
      assertThat(steps.unit).isEqualTo(Math.scalb(1.0, Math.getExponent(steps.unit)));
      assertThat(largest / steps.unit * count).isLessThanOrEqualTo(0x1p61);
      if (largest > 1e-270) {
        assertThat(largest / steps.unit * count).isGreaterThan(0x1p60);
      }
    }
  }

  @Test
  void steps_negated_areNegated() {
    var steps = FixedPoint.ofSum(10, 20); // of ½
    assertThat(steps.unit).isEqualTo(0.5);
    for (double value : new double[] {0, 0.2, 0.25, 0.26, 0.75, 4.25, 10}) {
      assertThat(steps.steps(-value)).isEqualTo(-steps.steps(value));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, 1e308})
  void of_sumsThatAreNotFinite_isNotUsable(double largest) {
    assertThat(FixedPoint.of(largest, 1_000).usable()).isFalse();
  }
}
