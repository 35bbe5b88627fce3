package io.holdfast.trainer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FadingLossTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 10, 100, 1_000, 10_000})
  void memoryOfLosses_theLaterLabelsAre_isTheLonger(double lag) {
    assertThat(FadingLoss.shortFade(lag + 100, true))
        .isGreaterThan(FadingLoss.shortFade(lag, true));
    assertThat(FadingLoss.longFade(lag + 100, true)).isGreaterThan(FadingLoss.longFade(lag, true));
    assertThat(FadingLoss.longFade(lag, true))
        .isGreaterThan(FadingLoss.shortFade(lag, true))
        .isLessThan(1);
  }

  /** One was better by 0.05 a row for long, the other is better by 1 on the last 25 rows. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1_000})
  void luckOfTheLastRows_decidesOnlyWhereLabelsComeAtOnce(double lag) {
    double[] shortLosses = new double[2];
    double[] longLosses = new double[2];
    for (int row = 0; row < 5_000; row++) {
      boolean lucky = row >= 4_975;
      double[] lost = {lucky ? 1.5 : 0.45, 0.5};
      for (int e = 0; e < 2; e++) {
        shortLosses[e] =
            FadingLoss.next(shortLosses[e], FadingLoss.shortFade(lag, true), lost[e], 1);
        longLosses[e] = FadingLoss.next(longLosses[e], FadingLoss.longFade(lag, true), lost[e], 1);
      }
    }
    double[] weights = FadingLoss.weights(shortLosses, longLosses, lag, true);
    assertThat(weights[0] + weights[1]).isCloseTo(1, within(1e-12));
    assertThat(weights[1] > 0.55).isEqualTo(lag == 0);
  }

  @Test
  void weights_ofOneThatWasNeverTrained_areZero() {
    double[] losses = {1, Double.POSITIVE_INFINITY};
    assertThat(FadingLoss.weights(losses, losses, 0, true)).containsExactly(1, 0);
  }

  @Test
  void numbersWithLateLabels_countNearlyAlike() {
    double[] losses = {0, 20};
    assertThat(FadingLoss.weights(losses, losses, 0, false)[0]).isGreaterThan(0.99);
    assertThat(FadingLoss.weights(losses, losses, 1_000, false)[0]).isBetween(0.5, 0.55);
    assertThat(FadingLoss.longFade(1_000, false)).isEqualTo(FadingLoss.longFade(0, false));
  }
}
