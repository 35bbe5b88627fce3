package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SoftmaxTest {
  private static final double STEP = 1e-5;

  @Test
  void loss_inEachScore_hasTheSlopesOfItsProbabilities() {
    Softmax softmax = new Softmax(4);
    SplittableRandom random = new SplittableRandom(2);
    double[] p = new double[4];
    double[] q = new double[4];
    double[] moved = new double[4];
    double[] unused = new double[4];
    for (int trial = 0; trial < 100; trial++) {
      double[] scores = random.doubles(4, -8, 8).toArray();
      softmax.loss(0, scores, 0, 1, p, q);
      for (int k = 0; k < 4; k++) {
        double[] up = scores.clone();
        up[k] += STEP;
        double[] down = scores.clone();
        down[k] -= STEP;
        for (int label = 0; label < 4; label++) {
          double slope = (softmax.loss(label, up) - softmax.loss(label, down)) / (2 * STEP);
          assertThat(label == k ? -q[k] : p[k]).isCloseTo(slope, within(1e-8));
        }
        softmax.loss(0, up, 0, 1, moved, unused);
        for (int j = 0; j < 4; j++) {
          double slope = (moved[j] - p[j]) / STEP;
          assertThat(j == k ? p[k] * q[k] : -p[j] * p[k]).isCloseTo(slope, within(1e-5));
        }
      }
    }
  }

  @Test
  void probabilities_farApart_keepTheSmallOnesAndTheirComplements() {
    double[] p = new double[3];
    double[] q = new double[3];
    new Softmax(3).loss(0, new double[] {700, 1000, 650}, 0, 1, p, q);
    assertThat(p[0]).isCloseTo(Math.exp(-300), Percentage.withPercentage(1e-10));
    assertThat(p[1]).isEqualTo(1);
    assertThat(q[1]).isCloseTo(Math.exp(-300), Percentage.withPercentage(1e-10));
    assertThat(q[0]).isEqualTo(1);
    assertThat(new Softmax(3).loss(0, 700, 1000, 650)).isEqualTo(300);
    assertThat(new Softmax(3).loss(1, 700, 1000, 650))
        .isCloseTo(Math.exp(-300), Percentage.withPercentage(1e-10));
    assertThat(new Softmax(2).loss(0, -1e6, 1e6)).isEqualTo(2e6);
  }

  @Test
  void rowsOutputByOutput_giveWhatEachRowGivesAlone() {
    int n = 7;
    Softmax softmax = new Softmax(5);
    double[] scores = new SplittableRandom(3).doubles(5L * n, -3, 3).toArray();
    double[] p = new double[5];
    double[] q = new double[5];
    for (int row = 0; row < n; row++) {
      double[] ofRow = new double[5];
      int at = row;
      for (int k = 0; k < 5; k++, at += n) {
        ofRow[k] = scores[at];
      }
      assertThat(softmax.loss(3, scores, row, n, p, q)).isEqualTo(softmax.loss(3, ofRow));
      double[] alone = new double[5];
      softmax.probabilities(ofRow, alone);
      assertThat(alone).containsExactly(p, within(1e-16));
      assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-15));
      assertThat(softmax.loss(2, scores, row, n)).isEqualTo(softmax.loss(2, ofRow));
    }
  }

  @Test
  void initialScores_moreClassesThanSeen_giveTheUnseenHalfARow() {
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 10; row++) {
      builder.add(new double[1], row < 4 ? 0 : 2, 2, "all");
    }
    double[] scores = new Softmax(4).initialScores(builder.build());
    assertThat(Arrays.stream(scores).map(Math::exp).toArray())
        .containsExactly(new double[] {0.36, 0.05, 0.54, 0.05}, within(1e-14));
    Rows one = Rows.builder(1).add(new double[1], 3, "all").build();
    assertThat(Arrays.stream(new Softmax(1000).initialScores(one)).filter(Double::isFinite))
        .hasSize(1000);
  }

  @Test
  void prediction_ofTies_isTheLowestClass() {
    assertThat(new Softmax(3).prediction(1, 2, 2)).isEqualTo(1);
    assertThat(new Softmax(3).prediction(0, 0, 0)).isZero();
  }
}
