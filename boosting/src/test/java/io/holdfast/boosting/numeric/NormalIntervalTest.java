package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NormalIntervalTest {
  /**
   * Computed with 900 digits, some for each way of evaluation: a and b − a, then −log P, the mean,
   * the variance lost, the third moment, and the densities at both ends.
   */
  private static final double[][] REFERENCES = {
    {-0.5, 1, 0.9599163336956223, 0, 0.9194108453991883, 0, 0.9194108453991883, 0.9194108453991883},
    {
      -1.75,
      4,
      0.05370000874873476,
      0.05754640173953767,
      0.23798045290358083,
      0.09260230908775799,
      0.09103706711609308,
      0.03349066537655541
    },
    {
      -0.25,
      9.5367431640625e-07,
      14.813132025194438,
      -0.24999952316282284,
      0.9999999999999242,
      -1.723289655898212e-27,
      1048575.8750001639,
      1048576.124999687
    },
    {
      3,
      7.450580596923828e-09,
      24.133912419499065,
      3.0000000037252903,
      1,
      7.703719787115141e-35,
      134217729.5,
      134217726.5
    },
    {
      -36,
      0.5,
      634.6142631721069,
      -35.528124478058345,
      0.9992102639063104,
      -4.42802390133388e-05,
      6.131382715586044e-07,
      35.528125091196614
    },
    {
      -2,
      5,
      0.024395187554887347,
      0.05078298967487897,
      0.12685136002459432,
      0.14883720944572346,
      0.05532428340178248,
      0.004541293726903502
    },
    {
      -30,
      60,
      9.813427854296374e-198,
      0,
      8.841876809271284e-195,
      0,
      1.4736461348785476e-196,
      1.4736461348785476e-196
    },
    {
      0.5,
      8,
      1.1759117615936185,
      1.1410777703680643,
      0.7315195928441227,
      0.16260392517611033,
      1.1410777703680646,
      2.6467559394521546e-16
    },
    {
      2,
      1.5,
      3.7934623668879905,
      2.358977553009737,
      0.9049536134668644,
      0.03431397164844175,
      2.3977333022647582,
      0.03875574925502152
    },
    {
      6,
      1,
      20.73806700328247,
      6.15721090337828,
      0.9772516188824882,
      0.005754590464288212,
      6.166481833850074,
      0.009270930471794416
    },
    {
      -11,
      7,
      10.360101486527292,
      -4.225607144489471,
      0.9533271616025774,
      -0.017856339307658425,
      6.690041598853939e-23,
      4.225607144489471
    },
    {
      1.5,
      9,
      2.7059444008238898,
      1.938677166622543,
      0.8504534064497973,
      0.08315192442392713,
      1.938677166622543,
      6.848626351084101e-24
    },
    {
      10,
      60,
      53.23128515051247,
      10.098093233962512,
      0.9905546221743438,
      0.0017864003921165069,
      10.098093233962512,
      0
    },
    {
      -38.5,
      3,
      634.6142631550883,
      -35.52812448656097,
      0.9992102596586772,
      -4.428236077641424e-05,
      2.2074190725640933e-47,
      35.52812448656097
    },
  };

  @Test
  void of_interval_hasTheReferenceMassAndMoments() {
    for (double[] reference : REFERENCES) {
      double lower = reference[0];
      double width = reference[1];
      NormalInterval z = NormalInterval.of(lower, lower + width, width);
      double[] actual = {
        z.minusLogMass(),
        z.mean(),
        z.varianceLost(),
        z.thirdMoment(),
        z.lowerDensity(),
        z.upperDensity()
      };
      for (int k = 0; k < actual.length; k++) {
        assertThat(actual[k])
            .as("quantity %s at %s, %s", k, lower, width)
            .isCloseTo(reference[k + 2], relative(reference[k + 2]));
      }
    }
  }

  @Test
  void of_mirroredInterval_mirrorsExactly() {
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 2000; trial++) {
      double lower = random.nextDouble(-12, 12);
      double width = Math.exp(random.nextDouble(-12, 3));
      NormalInterval z = NormalInterval.of(lower, lower + width, width);
      NormalInterval mirrored = NormalInterval.of(-lower - width, -lower, width);
      assertThat(mirrored.minusLogMass()).isEqualTo(z.minusLogMass());
      assertThat(mirrored.mean()).isEqualTo(-z.mean());
      assertThat(mirrored.varianceLost()).isEqualTo(z.varianceLost());
      assertThat(mirrored.upperDensity()).isEqualTo(z.lowerDensity());
    }
  }

  /** Masses of two halves add up, and moments stay in their bounds, whichever way is taken. */
  @Test
  void of_anyInterval_isTheSumOfItsHalves() {
    SplittableRandom random = new SplittableRandom(2);
    for (int trial = 0; trial < 5000; trial++) {
      double width = 2 * Math.exp(random.nextDouble(-9, 3.5));
      double lower = random.nextDouble(-20, 20);
      double middle = lower + 0.5 * width;
      NormalInterval whole = NormalInterval.of(lower, lower + width, width);
      NormalInterval left = NormalInterval.of(lower, middle, 0.5 * width);
      NormalInterval right = NormalInterval.of(middle, lower + width, 0.5 * width);
      String where = "at " + lower + ", " + width;
      double shareLeft = Math.exp(whole.minusLogMass() - left.minusLogMass());
      double shareRight = Math.exp(whole.minusLogMass() - right.minusLogMass());
      assertThat(shareLeft + shareRight).as(where).isCloseTo(1, within(1e-11));
      assertThat(shareLeft * left.mean() + shareRight * right.mean())
          .as(where)
          .isCloseTo(whole.mean(), within(1e-11 * (1 + Math.abs(whole.mean()))));
      assertThat(whole.varianceLost()).as(where).isBetween(0.0, 1.0);
      assertThat(whole.mean())
          .as(where)
          .isCloseTo(
              whole.lowerDensity() - whole.upperDensity(), within(1e-12 / Math.min(1, width)));
    }
  }

  @Test
  void above_andBelow_areTheLimitsOfWideIntervals() {
    for (double a = -6; a <= 12; a += 0.21) {
      NormalInterval tail = NormalInterval.above(a);
      NormalInterval wide = NormalInterval.of(a, a + 60, 60);
      assertThat(wide.minusLogMass()).isCloseTo(tail.minusLogMass(), within(1e-14 * (1 + a * a)));
      assertThat(wide.mean()).isCloseTo(tail.mean(), within(1e-13));
      assertThat(wide.varianceLost()).isCloseTo(tail.varianceLost(), within(1e-12));
      assertThat(wide.thirdMoment()).isCloseTo(tail.thirdMoment(), within(1e-12));
      assertThat(NormalInterval.below(-a).mean()).isEqualTo(-tail.mean());
    }
  }

  private static Offset<Double> relative(double reference) {
    return within(1e-12 * Math.abs(reference) + 1e-290);
  }
}
