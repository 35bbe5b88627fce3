package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.trainer.drift.AdaptiveWindow.Change;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveWindowTest {
  @Test
  void mean_ofWhatIsKept_isTheirMean() {
    SplittableRandom random = new SplittableRandom(1);
    AdaptiveWindow window = new AdaptiveWindow(0.01);
    double[] values = random.doubles(3_000).toArray();
    for (int k = 0; k < values.length; k++) {
      assertThat(window.add(values[k])).isEqualTo(Change.NONE);
    }
    assertThat(window.width()).isEqualTo(3_000);
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    assertThat(window.mean()).isEqualTo(sum / 3_000, within(1e-9));
  }

  /** The paper's table 1: a stationary stream of bits is cut less often than delta says. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.1, 0.5})
  void stationaryBits_areSeldomCut(double mean) {
    int cut = 0;
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      AdaptiveWindow window = new AdaptiveWindow(0.1);
      boolean any = false;
      for (int k = 0; k < 5_000; k++) {
        any |= window.add(random.nextDouble() < mean ? 1 : 0) != Change.NONE;
      }
      cut += any ? 1 : 0;
    }
    assertThat(cut).isLessThanOrEqualTo(10);
  }

  /**
   * The paper's figure 1: an abrupt change is noticed soon, and the window shrinks to what is new.
   */
  @Test
  void abruptRise_isNoticed_andWhatWasBeforeGoes() {
    SplittableRandom random = new SplittableRandom(7);
    AdaptiveWindow window = new AdaptiveWindow(0.01);
    for (int k = 0; k < 2_000; k++) {
      assertThat(window.add(random.nextDouble() < 0.2 ? 1 : 0)).isEqualTo(Change.NONE);
    }
    int noticed = -1;
    for (int k = 0; k < 1_000; k++) {
      if (window.add(random.nextDouble() < 0.8 ? 1 : 0) == Change.RISE && noticed < 0) {
        noticed = k;
      }
    }
    assertThat(noticed).isBetween(5, 64);
    assertThat(window.width()).isBetween(900L, 1_100L);
    assertThat(window.mean()).isEqualTo(0.8, within(0.05));
    for (int k = 0; k < 500; k++) {
      if (window.add(0.1) == Change.FALL) {
        return;
      }
    }
    throw new AssertionError("the fall was not noticed");
  }

  @Test
  void impossibleValues_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new AdaptiveWindow(0));
    AdaptiveWindow window = new AdaptiveWindow(0.1);
    assertThatIllegalArgumentException().isThrownBy(() -> window.add(1.5));
    assertThatIllegalArgumentException().isThrownBy(() -> window.add(Double.NaN));
  }
}
