package io.holdfast.boosting.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.objective.Softmax;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows at once against each by itself. */
class SoftmaxBlockTest {
  private static final int ROWS = 90;
  private static final int FROM = 20;

  @ParameterizedTest
  @CsvSource({"2, 1", "3, 0.01", "3, 40", "10, 4", "10, 900", "50, 2", "1000, 3"})
  void take_anyScores_isTheLossAndTheProbabilitiesOfEachRow(int classes, double size) {
    var random = new SplittableRandom(classes);
    double[] scores = new double[classes * ROWS];
    for (int k = 0; k < scores.length; k++) {
      // Now and then equal ones, and zeros of either sign.
      double score = size * (random.nextDouble() - 0.5);
      scores[k] = k % 7 == 0 ? Math.rint(score) : k % 11 == 0 ? -0.0 : score;
    }
    Softmax softmax = new Softmax(classes);
    var block = new SoftmaxBlock(classes);
    int count = Math.min(block.rows, ROWS - FROM);
    double[][] probability = new double[classes][ROWS];
    double[][] complement = new double[classes][ROWS];
    assertThat(block.take(scores, ROWS, FROM, count)).isTrue();
    block.write(probability, complement, FROM, count);
    double[] p = new double[classes];
    double[] q = new double[classes];
    for (int row = FROM; row < FROM + count; row++) {
      int label = random.nextInt(classes);
      double loss = softmax.loss(label, scores, row, ROWS, p, q);
      assertThat(block.loss(row - FROM, scores[label * ROWS + row])).isEqualTo(loss);
      for (int k = 0; k < classes; k++) {
        assertThat(probability[k][row]).isEqualTo(p[k]);
        assertThat(complement[k][row]).isEqualTo(q[k]);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"NaN, 0", "0, NaN", "Infinity, 0", "0, Infinity", "-Infinity, -Infinity"})
  void take_scoresThatAreNotFinite_areForEachByItself(double first, double second) {
    double[] scores = {1, first, 2, second};
    assertThat(new SoftmaxBlock(2).take(scores, 2, 0, 2)).isFalse();
  }
}
