package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TwoSamplesTest {
  @Test
  void distance_ofKnownSamples_isThatOfTheirDefinition() {
    double[] first = {1, 2, 3, 4};
    double[] second = {3, 4, 5, 6};
    assertThat(TwoSamples.between(first, second).distance()).isEqualTo(0.5);
    assertThat(TwoSamples.between(first, first).distance()).isZero();
    double[] missing = {1, 2, Double.NaN, Double.NaN};
    assertThat(TwoSamples.between(first, missing).distance()).isEqualTo(0.5);
    assertThat(TwoSamples.between(missing, missing).distance()).isZero();
  }

  /** Kolmogorov's distribution: 1.36 and 1.63 are its well-known 5% and 1% points. */
  @Test
  void p_hasKolmogorovsQuantiles() {
    int rows = 2_000_000; // so many that the correction does not count: the size is 1,000
    assertThat(TwoSamples.p(1.3581 / 1_000, rows, rows)).isEqualTo(0.05, within(2e-4));
    assertThat(TwoSamples.p(1.6276 / 1_000, rows, rows)).isEqualTo(0.01, within(1e-4));
    assertThat(TwoSamples.p(0, rows, rows)).isEqualTo(1);
    assertThat(TwoSamples.p(1, 100, 100)).isLessThan(1e-12);
  }

  @Test
  void p_ofEqualDistributions_isUniform() {
    double[] p = new double[1_000];
    for (int trial = 0; trial < p.length; trial++) {
      SplittableRandom random = new SplittableRandom(trial);
      double[] first = sorted(random, 500, 0);
      double[] second = sorted(random, 300, 0);
      p[trial] = TwoSamples.p(TwoSamples.between(first, second).distance(), 500, 300);
    }
    for (double level : new double[] {0.05, 0.2, 0.5}) {
      double share = Arrays.stream(p).filter(one -> one <= level).count() / 1_000.0;
      assertThat(share).as("level %s", level).isEqualTo(level, within(0.05));
    }
  }

  @Test
  void stability_isSmallForEqualDistributions_andGrowsWithTheShift() {
    SplittableRandom random = new SplittableRandom(2);
    double[] reference = sorted(random, 2_000, 0);
    double before = -1;
    for (double shift : new double[] {0, 0.25, 0.5, 1, 2}) {
      double index = TwoSamples.between(reference, sorted(random, 1_000, shift)).stability();
      assertThat(index).isGreaterThan(before);
      before = index;
      if (shift == 0) {
        assertThat(index).isLessThan(0.05);
      }
    }
    assertThat(before).isGreaterThan(0.25);
  }

  @Test
  void stability_ofKnownShares_isThatOfItsDefinition() {
    // Two values, 40 and 60 of 100, then 20 and 80: bins of equal values are one.
    double[] reference = IntStream.range(0, 100).mapToDouble(k -> k < 40 ? 0 : 1).toArray();
    double[] now = IntStream.range(0, 100).mapToDouble(k -> k < 20 ? 0 : 1).toArray();
    double expected = -0.2 * Math.log(0.2 / 0.4) + 0.2 * Math.log(0.8 / 0.6);
    assertThat(TwoSamples.between(reference, now).stability()).isEqualTo(expected, within(1e-12));
  }

  @Test
  void believed_areThoseOfTheirPapersExample() {
    // Benjamini and Hochberg 1995, section 3.2: of 15 tests the first four at 0.05.
    double[] p = {
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.0000
    };
    boolean[] believed = ShiftStatistics.believed(p, 0.05);
    for (int test = 0; test < p.length; test++) {
      assertThat(believed[test]).as("test %s", test + 1).isEqualTo(test < 4);
    }
    assertThat(ShiftStatistics.believed(new double[0], 0.05)).isEmpty();
  }

  private static double[] sorted(SplittableRandom random, int size, double shift) {
    double[] values = new double[size];
    for (int k = 0; k < size; k++) {
      values[k] = random.nextGaussian() + shift;
    }
    Arrays.sort(values);
    return values;
  }
}
