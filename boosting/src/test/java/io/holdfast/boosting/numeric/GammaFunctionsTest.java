package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.hipparchus.special.Gamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GammaFunctionsTest {
  private static final Percentage CLOSE = Percentage.withPercentage(2e-12);

  /** Computed with 80 digits. */
  @ParameterizedTest
  @CsvSource({
    "1e-09, -1000000000.5772156, 9.999999999999999e+17, -1.9999999999999998e+27, 9.442694406414583",
    "0.3, -3.502524222200133, 12.245364546107732, -75.27253658872604, 0.2360649007482156",
    "1, -0.5772156649015329, 1.6449340668482264, -2.4041138063191885, 0.08106146679532726",
    "1.5, 0.03648997397857652, 0.9348022005446793, -0.82879664423432, 0.05481412105191765",
    "7.25, 1.910453526883736, 0.14787923315893217, -0.02182895229519774, 0.011487002684428697",
    "11.999, 2.442574774329119, 0.08690942073224082, -0.007548515632704711, 0.006943418458517719",
    "12, 2.442661679975812, 0.08690187287176838, -0.007547205368998912, 0.00694284010720953",
    "40, 3.676327374034843, 0.02531510384129103, -0.0006408202718352986, 0.0020832899383024218",
    "1e6, 13.815510057964191, 1.0000005000001667e-06, -1.0000010000005e-12, 8.333333333333056e-08",
  })
  void all_atReferencePoints_areRight(
      double x, double digamma, double trigamma, double tetragamma, double stirlingError) {
    assertThat(GammaFunctions.digamma(x)).isCloseTo(digamma, CLOSE);
    assertThat(GammaFunctions.trigamma(x)).isCloseTo(trigamma, CLOSE);
    assertThat(GammaFunctions.tetragamma(x)).isCloseTo(tetragamma, CLOSE);
    assertThat(GammaFunctions.stirlingError(x)).isCloseTo(stirlingError, within(1e-14));
    assertThat(GammaFunctions.digammaMinusLog(x))
        .isCloseTo(digamma - Math.log(x), within(1e-14 * Math.abs(digamma)));
  }

  @Test
  void all_overTheirRange_agreeWithAnotherLibraryAndTheirSlopes() {
    for (double x = 0.05; x < 60; x *= 1.03) {
      // whose digits end here
      assertThat(GammaFunctions.digamma(x)).isCloseTo(Gamma.digamma(x), within(1e-8));
      assertThat(GammaFunctions.trigamma(x)).isCloseTo(Gamma.trigamma(x), within(1e-8));
      double logGamma =
          (x - 0.5) * Math.log(x)
              - x
              + 0.5 * Math.log(2 * Math.PI)
              + GammaFunctions.stirlingError(x);
      assertThat(logGamma).isCloseTo(Gamma.logGamma(x), within(1e-12 * (1 + Math.abs(logGamma))));
      double step = 1e-5 * x;
      double slope =
          (GammaFunctions.trigamma(x + step) - GammaFunctions.trigamma(x - step)) / (2 * step);
      assertThat(GammaFunctions.tetragamma(x)).isCloseTo(slope, Percentage.withPercentage(1e-5));
    }
  }

  @Test
  void digammaMinusLog_ofLargeArguments_keepsItsDigits() {
    // −1/(2x) − 1/(12x²) + ...
    assertThat(GammaFunctions.digammaMinusLog(1e9))
        .isCloseTo(-5.000000000833333e-10, Percentage.withPercentage(1e-12));
  }
}
