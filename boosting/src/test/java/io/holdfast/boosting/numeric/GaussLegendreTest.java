package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GaussLegendreTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16, 31, 64, 128, 501})
  void rule_everyPowerUpToItsDegree_isExact(int points) {
    var rule = new GaussLegendre(points);
    for (int power = 0; power < 2 * points; power++) {
      double sum = 0;
      double mirrored = 0;
      for (int k = 0; k < rule.size(); k++) {
        sum += rule.weight(k) * StrictMath.pow(rule.point(k), power);
        mirrored += rule.weight(k) * StrictMath.pow(rule.complement(k), power);
      }
      double integral = 1.0 / (power + 1);
      assertThat(sum).as("power %s", power).isCloseTo(integral, within(1e-12 * integral));
      assertThat(mirrored).as("power %s", power).isCloseTo(integral, within(1e-12 * integral));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 128})
  void rule_anySize_ascendsInsideTheInterval(int points) {
    var rule = new GaussLegendre(points);
    double last = 0;
    for (int k = 0; k < points; k++) {
      assertThat(rule.point(k)).isGreaterThan(last).isLessThan(1);
      assertThat(rule.point(k) + rule.complement(k)).isCloseTo(1, within(1e-15));
      assertThat(rule.weight(k)).isPositive();
      last = rule.point(k);
    }
  }

  @Test
  void rule_noPoints_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GaussLegendre(0))
        .withMessage("a quadrature must have at least 1 point: 0");
  }
}
