package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PageHinkleyTest {
  /**
   * The test statistic of five values, by hand: the sum of x − mean − 0.1 above its lowest point.
   */
  @Test
  void statistic_followsItsDefinition() {
    PageHinkley test = new PageHinkley(0.1, 0.9, 1);
    assertThat(test.add(0)).isFalse(); // mean 0: −0.1, the lowest
    assertThat(test.add(0)).isFalse(); // −0.2, the lowest
    assertThat(test.add(1)).isFalse(); // mean 1/3: −0.2 + 2/3 − 0.1 = 0.367; 0.567 above
    assertThat(test.add(1)).isTrue(); // mean 1/2: + 0.4 = 0.767; 0.967 above
    assertThat(test.add(1)).isFalse(); // anew
  }

  @Test
  void rise_isNoticed_andNeitherAFallNorNothing() {
    assertThat(noticed(0.2, 0.2)).isEqualTo(-1);
    assertThat(noticed(0.8, 0.2)).isEqualTo(-1);
    assertThat(noticed(0.2, 0.6)).isBetween(2_000, 2_400);
  }

  private static int noticed(double before, double after) {
    SplittableRandom random = new SplittableRandom(5);
    PageHinkley test = new PageHinkley(0.005, 50, 30);
    for (int k = 0; k < 4_000; k++) {
      if (test.add(random.nextDouble() < (k < 2_000 ? before : after) ? 1 : 0)) {
        return k;
      }
    }
    return -1;
  }
}
