package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreaSumsTest {
  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.01, 1, 30})
  void area_ofManyScores_isNearlyTheExactOne(double spread) {
    SplittableRandom random = new SplittableRandom(3);
    AreaSums sums = new AreaSums();
    Rows.Builder rows = Rows.builder(1);
    double[] scores = new double[20_000];
    int[] all = new int[scores.length];
    Arrays.setAll(all, row -> row);
    for (int row = 0; row < scores.length; row++) {
      int label = random.nextInt(3) == 0 ? 1 : 0;
      double weight = 1 + random.nextInt(3);
      scores[row] = spread * (random.nextGaussian() + label);
      rows.add(new double[1], label, weight, "e");
      sums.add(scores[row], label == 1, weight);
    }
    assertThat(sums.area()).isEqualTo(Metrics.area(rows.build(), 1, scores, all), within(2e-4));
  }

  @Test
  void area_ofTiedScores_isExact() {
    AreaSums sums = new AreaSums();
    sums.add(1.5, true, 2);
    sums.add(1.5, false, 1);
    sums.add(-2, true, 1);
    sums.add(0, false, 4);
    // Pairs of a 1 and a 0: 2·1 tied, 2·4 won, 1·1 and 1·4 lost.
    assertThat(sums.area()).isEqualTo((1 + 8) / 15.0, within(1e-15));
  }

  @Test
  void fading_isWeighingByAge_howeverLongTheStream() {
    AreaSums faded = new AreaSums();
    for (int row = 0; row < 5_000; row++) { // rescaled several times on the way
      faded.fade(0.9);
      faded.add(row < 4_000 ? row % 2 : -(row % 2), row % 2 == 1, 1);
    }
    assertThat(faded.area()).isEqualTo(0, within(1e-12)); // the first rows are forgotten
  }

  @Test
  void area_ofOneClass_isUndetermined() {
    AreaSums sums = new AreaSums();
    assertThat(sums.area()).isNaN();
    sums.add(1, true, 1);
    assertThat(sums.area()).isNaN();
  }
}
