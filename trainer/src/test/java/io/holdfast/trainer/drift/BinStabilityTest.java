package io.holdfast.trainer.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.FeatureBins;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinStabilityTest {
  private static final int BINS = 255;

  /** The index of 255 bins would be far above a tenth by chance. */
  @ParameterizedTest
  @CsvSource({"50, 100", "300, 200", "1000, 1000", "1000, 2000", "10000, 20000"})
  void stay_sameDistribution_almostAlways(int before, int now) {
    int moved = 0;
    for (int trial = 0; trial < 500; trial++) {
      SplittableRandom random = new SplittableRandom(trial);
      FeatureBins bins = bins(counts(random, before, 0));
      moved += BinStability.stay(bins, counts(random, now, 0)) ? 0 : 1;
    }
    assertThat(moved).isLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"300, 200, 1", "1000, 1000, 0.4", "1000, 2000, 0.4", "10000, 20000, 0.4"})
  void stay_shiftedBySomeDeviations_never(int before, int now, double shift) {
    for (int trial = 0; trial < 100; trial++) {
      SplittableRandom random = new SplittableRandom(trial);
      FeatureBins bins = bins(counts(random, before, 0));
      assertThat(BinStability.stay(bins, counts(random, now, shift))).isFalse();
    }
  }

  @Test
  void stay_moreMissingValues_isAShift() {
    int[] counts = new int[12];
    Arrays.fill(counts, 100);
    FeatureBins bins = bins(counts);
    int[] now = counts.clone();
    assertThat(BinStability.stay(bins, now)).isTrue();
    now[11] = 500;
    assertThat(BinStability.stay(bins, now)).isFalse();
  }

  @Test
  void stay_farFewerRowsThanThereAreNow_never() {
    FeatureBins bins = bins(new int[] {40, 60, 0});
    assertThat(BinStability.stay(bins, new int[] {80, 120, 0})).isTrue();
    assertThat(BinStability.stay(bins, new int[] {81, 120, 0})).isFalse();
    // Of very many rows thresholds are found by 200,000.
    assertThat(
            BinStability.stay(bins(new int[] {50_000, 50_000, 0}), new int[] {1 << 20, 1 << 20, 0}))
        .isTrue();
    assertThat(
            BinStability.stay(bins(new int[] {50_000, 49_999, 0}), new int[] {1 << 20, 1 << 20, 0}))
        .isFalse();
  }

  @Test
  void stay_nothingThere_stays() {
    assertThat(BinStability.stay(bins(new int[] {0, 0}), new int[] {0, 0})).isTrue();
    assertThat(BinStability.stay(bins(new int[] {5, 0}), new int[] {0, 0})).isTrue();
    assertThat(BinStability.stay(bins(new int[] {5, 0}), new int[] {9, 0})).isTrue();
  }

  /**
   * Of a normal quantity that is {@code shift} higher than it was, in bins of equal mass before.
   */
  private static int[] counts(SplittableRandom random, int rows, double shift) {
    int[] counts = new int[BINS + 1];
    for (int row = 0; row < rows; row++) {
      double value = random.nextGaussian() + shift;
      double share = 1 / (1 + Math.exp(-1.702 * value)); // nearly the normal distribution
      counts[(int) (BINS * share)]++;
    }
    return counts;
  }

  private static FeatureBins bins(int[] counts) {
    double[] thresholds = new double[counts.length - 2];
    Arrays.setAll(thresholds, k -> k);
    return new FeatureBins(0, thresholds, counts);
  }
}
