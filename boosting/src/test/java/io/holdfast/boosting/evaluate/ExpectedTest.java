package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExpectedTest {
  @Test
  void calibratedScores_areAsGoodAsTheyExpect() {
    SplittableRandom random = new SplittableRandom(1);
    Logistic logistic = new Logistic();
    Expected expected = new Expected(20_000);
    double right = 0;
    double logLoss = 0;
    int rows = 20_000;
    for (int row = 0; row < rows; row++) {
      double score = 2 * random.nextGaussian();
      double label = random.nextDouble() < logistic.prediction(score) ? 1 : 0;
      expected.add(logistic, new double[] {score});
      right += (score > 0 ? 1 : 0) == label ? 1 : 0;
      logLoss += logistic.loss(label, score);
    }
    assertThat(expected.figures().get("accuracy")).isEqualTo(right / rows, within(0.01));
    assertThat(expected.figures().get("logLoss")).isEqualTo(logLoss / rows, within(0.01));
  }

  @Test
  void newestRows_alone_count() {
    Expected expected = new Expected(2);
    Softmax softmax = new Softmax(4);
    expected.add(softmax, new double[] {50, 0, 0, 0});
    expected.add(softmax, new double[4]);
    expected.add(softmax, new double[4]);
    assertThat(expected.figures().get("accuracy")).isEqualTo(0.25, within(1e-12));
    assertThat(expected.figures().get("logLoss")).isEqualTo(Math.log(4), within(1e-12));
  }

  @Test
  void values_haveNoExpectation() {
    Expected expected = new Expected(2);
    expected.add(new Squared(), new double[1]);
    assertThat(expected.figures()).isEmpty();
  }
}
