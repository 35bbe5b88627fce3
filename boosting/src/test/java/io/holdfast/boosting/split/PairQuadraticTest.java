package io.holdfast.boosting.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.split.AnchoredGain.PairQuadratic;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairQuadraticTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 1.5})
  void minimise_positiveDefinite_nothingNearbyIsLower(double lambda1) {
    var random = new SplittableRandom(1);
    for (int k = 0; k < 2000; k++) {
      var pair = new PairQuadratic(lambda1);
      double mixed = 2 * random.nextDouble() - 1;
      pair.minimise(
          4 * random.nextDouble() - 2,
          4 * random.nextDouble() - 2,
          1.1,
          0.2 + random.nextDouble(),
          random.nextDouble(),
          mixed,
          mixed * mixed);
      double lowest = pair.score(pair.first, pair.second);
      assertThat(lowest >= 0).isTrue();
      for (double step : new double[] {1e-4, 1e-2, 1}) {
        for (int direction = 0; direction < 8; direction++) {
          double a = pair.first + step * Math.cos(direction * Math.PI / 4);
          double b = pair.second + step * Math.sin(direction * Math.PI / 4);
          assertThat(pair.score(a, b)).isLessThanOrEqualTo(lowest + 1e-12);
        }
        assertThat(pair.score(0, pair.second)).isLessThanOrEqualTo(lowest + 1e-12);
        assertThat(pair.score(pair.first, 0)).isLessThanOrEqualTo(lowest + 1e-12);
      }
    }
  }

  @Test
  void minimise_notCoupled_isEachByItself() {
    var pair = new PairQuadratic(0.5);
    pair.minimise(3, -0.25, 2, 5, 0, 0, 0);
    assertThat(pair.first).isEqualTo(-1.25);
    assertThat(pair.second).isZero();
    assertThat(pair.score(pair.first, pair.second)).isCloseTo(3.125, within(1e-15));
    pair.minimise(3, -2, 2, -5, 0, 0, 0); // the second has no curvature to speak of
    assertThat(pair.first).isEqualTo(-1.25);
    assertThat(pair.second).isZero();
  }

  /** As at the root when gamma is 0 and the loss is squared: both together are free to move. */
  @Test
  void minimise_bothTogetherFlat_takesWhatPartingThemGains() {
    var pair = new PairQuadratic(0);
    pair.minimise(6, -6 + 1e-12, 10, 90, -7, -3, -87 + 1e-13);
    assertThat(pair.score(pair.first, pair.second)).isCloseTo(12, within(1e-9));
    assertThat(pair.second - pair.first).isCloseTo(2, within(1e-9));
  }

  @Test
  void minimise_noMatterTheSigns_neverGainsFromWhatDoesNotCurveUpwards() {
    var random = new SplittableRandom(5);
    for (int k = 0; k < 5000; k++) {
      double[] x = random.doubles(7, -3, 3).toArray();
      if (k % 3 == 0) {
        x[random.nextInt(7)] = 0;
      }
      var pair = new PairQuadratic(k % 2 == 0 ? 0 : 0.2);
      pair.minimise(x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
      double score = pair.score(pair.first, pair.second);
      assertThat(score).isFinite();
      assertThat(pair.first).isFinite();
      assertThat(pair.second).isFinite();
      if (k % 2 == 0) {
        assertThat(score).isGreaterThanOrEqualTo(-1e-12);
      }
      if (x[2] + x[4] <= 0 && x[3] + x[6] <= 0 && x[5] == 0) {
        assertThat(score).isZero();
      }
    }
  }
}
