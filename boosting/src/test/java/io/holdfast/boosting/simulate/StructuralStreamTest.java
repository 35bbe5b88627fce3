package io.holdfast.boosting.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StructuralStreamTest {
  @Test
  void withoutShift_environmentsAreAlike() {
    double[] shortcut = meansByEnvironment(StructuralStream.regression(3, row -> 0, 1), 4);
    assertThat(shortcut[0]).isEqualTo(0, within(0.05));
    assertThat(shortcut[2]).isEqualTo(0, within(0.05));
  }

  @Test
  void shift_movesEnvironmentsApartByTheEquations() {
    double[] cause = meansByEnvironment(StructuralStream.regression(3, row -> 2, 1), 0);
    double[] shortcut = meansByEnvironment(StructuralStream.regression(3, row -> 2, 1), 4);
    assertThat(cause[2] - cause[0]).isEqualTo(2.0, within(0.1)); // 0.5 * (2 - -2)
    assertThat(shortcut[2] - shortcut[0]).isEqualTo(9.2, within(0.1)); // (0.8 + 1.5) * (2 - -2)
  }

  @Test
  void strength_isADialByRow() {
    StructuralStream stream = StructuralStream.regression(2, row -> row < 5_000 ? 0 : 3, 1);
    double early = spread(stream);
    double late = spread(stream);
    assertThat(early).isLessThan(2);
    assertThat(late).isGreaterThan(5);
  }

  @Test
  void binary_classesAreAboutEven() {
    StructuralStream stream = StructuralStream.binary(4, row -> 1, 2);
    int ones = 0;
    for (int row = 0; row < 5_000; row++) {
      ones += (int) stream.next().label();
    }
    assertThat(ones).isBetween(2_000, 3_000);
  }

  @Test
  void oneEnvironment_isRefused() {
    assertThatThrownBy(() -> StructuralStream.regression(1, row -> 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 2 environments: 1");
  }

  private static double[] meansByEnvironment(StructuralStream stream, int feature) {
    double[] sums = new double[stream.environments().size()];
    int[] rows = new int[sums.length];
    for (int row = 0; row < 30_000; row++) {
      SimulatedRow drawn = stream.next();
      sums[drawn.environment()] += drawn.feature(feature);
      rows[drawn.environment()]++;
    }
    for (int e = 0; e < sums.length; e++) {
      sums[e] /= rows[e];
    }
    return sums;
  }

  private static double spread(StructuralStream stream) {
    double squares = 0;
    for (int row = 0; row < 5_000; row++) {
      double shortcut = stream.next().feature(4);
      squares += shortcut * shortcut;
    }
    return Math.sqrt(squares / 5_000);
  }
}
