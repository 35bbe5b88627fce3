package io.holdfast.boosting.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightedQuantileTest {
  @Test
  void of_evenlyManyValues_medianIsTheMiddle() {
    assertThat(quantile(0.5, new double[] {4, 1, 3, 2}, new double[] {1, 1, 1, 1})).isEqualTo(2.5);
    assertThat(quantile(0.5, new double[] {4, 1, 3}, new double[] {1, 1, 1})).isEqualTo(3);
    assertThat(quantile(0.9, new double[] {7}, new double[] {0.3})).isEqualTo(7);
    assertThat(quantile(0.99, new double[] {7, 8}, new double[] {1, 1})).isEqualTo(8);
    assertThat(quantile(0.5, new double[] {-1.5e308, 1.7e308}, new double[] {1, 1}))
        .isEqualTo(0.1e308, within(1e293));
  }

  @Test
  void of_weightOfTwo_equalsTheValueTwice() {
    SplittableRandom random = new SplittableRandom(5);
    for (int trial = 0; trial < 200; trial++) {
      int n = 1 + random.nextInt(20);
      double[] values = new double[n];
      Arrays.setAll(values, k -> random.nextInt(12));
      double[] weights = new double[n];
      Arrays.setAll(weights, k -> 1 + random.nextInt(2));
      double[] repeated = new double[(int) Arrays.stream(weights).sum()];
      int at = 0;
      for (int k = 0; k < n; k++) {
        for (int copy = 0; copy < weights[k]; copy++) {
          repeated[at++] = values[k];
        }
      }
      double[] ones = new double[repeated.length];
      Arrays.fill(ones, 1);
      double alpha = random.nextInt(1, 20) / 20.0;
      assertThat(quantile(alpha, values, weights)).isEqualTo(quantile(alpha, repeated, ones));
    }
  }

  @Test
  void of_randomValues_hasLeastPinballLoss() {
    SplittableRandom random = new SplittableRandom(6);
    for (int trial = 0; trial < 200; trial++) {
      double[] values = random.doubles(1 + random.nextInt(30), -3, 3).toArray();
      double[] weights = random.doubles(values.length, 0.1, 5).toArray();
      double alpha = random.nextDouble(0.01, 0.99);
      double best = pinball(alpha, values, weights, quantile(alpha, values, weights));
      for (double other : values) {
        assertThat(best).isLessThanOrEqualTo(pinball(alpha, values, weights, other) + 1e-12);
      }
    }
  }

  private static double pinball(double alpha, double[] values, double[] weights, double q) {
    double sum = 0;
    for (int k = 0; k < values.length; k++) {
      double error = values[k] - q;
      sum += weights[k] * Math.max(alpha * error, (alpha - 1) * error);
    }
    return sum;
  }

  private static double quantile(double alpha, double[] values, double[] weights) {
    int n = values.length;
    int[] members = new int[n];
    Arrays.setAll(members, k -> k);
    return WeightedQuantile.of(members, n, values, weights, alpha, new int[n]);
  }
}
