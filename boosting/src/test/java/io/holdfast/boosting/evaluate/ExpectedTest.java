package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Gamma;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
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
    assertThat(expected.uncorrected().get("accuracy")).isEqualTo(right / rows, within(0.01));
    assertThat(expected.uncorrected().get("logLoss")).isEqualTo(logLoss / rows, within(0.01));
  }

  @Test
  void newestRows_alone_count() {
    Expected expected = new Expected(2);
    Softmax softmax = new Softmax(4);
    expected.add(softmax, new double[] {50, 0, 0, 0});
    expected.add(softmax, new double[4]);
    expected.add(softmax, new double[4]);
    assertThat(expected.uncorrected().get("accuracy")).isEqualTo(0.25, within(1e-12));
    assertThat(expected.uncorrected().get("logLoss")).isEqualTo(Math.log(4), within(1e-12));
  }

  @Test
  void values_withoutSpreadOfTheirOwn_haveNoExpectationBeforeLabels() {
    Expected expected = new Expected(2);
    expected.add(new Squared(), new double[1]);
    assertThat(expected.uncorrected()).isEmpty();
    assertThat(expected.figures(new Calibration(2))).isEmpty();
  }

  @Test
  void values_ofSquared_areExpectedToErrAsBefore() {
    Calibration past = new Calibration(10);
    past.add(new Squared(), 3, new double[] {0}, 1);
    past.add(new Squared(), -1, new double[] {0}, 3);
    Expected expected = new Expected(2);
    expected.add(new Squared(), new double[] {7});

    assertThat(expected.figures(past).get("rmse")).isEqualTo(Math.sqrt(3), within(1e-12));
    assertThat(expected.figures(past).get("mae")).isEqualTo(1.5, within(1e-12));
  }

  @Test
  void amounts_ofGamma_areExpectedToErrInProportion() {
    Calibration past = new Calibration(10);
    for (double label : new double[] {5, 15}) { // half of 10 off
      past.add(new Gamma(), label, new double[] {Math.log(10)}, 1);
    }
    Expected expected = new Expected(2);
    expected.add(new Gamma(), new double[] {Math.log(1000)}, 2);

    assertThat(expected.uncorrected()).isEmpty();
    assertThat(expected.figures(past).get("rmse")).isEqualTo(500, within(1e-9));
    assertThat(expected.figures(past).get("mae")).isEqualTo(500, within(1e-9));
  }

  @Test
  void countsAndShares_tellTheirSpread() {
    Expected counts = new Expected(2);
    counts.add(new Poisson(), new double[] {Math.log(9)});
    Expected shares = new Expected(2);
    shares.add(Beta.ofPrecision(3), new double[1]);

    assertThat(counts.uncorrected()).containsOnlyKeys("rmse");
    assertThat(counts.uncorrected().get("rmse")).isEqualTo(3, within(1e-12));
    assertThat(shares.uncorrected().get("rmse")).isEqualTo(0.25, within(1e-12));
  }

  /** Twice too sure of itself before a shift of the features, and so after it. */
  @Test
  void sureScores_areCorrectedByWhatCameTrue() {
    SplittableRandom random = new SplittableRandom(2);
    Logistic logistic = new Logistic();
    Calibration past = new Calibration(10_000);
    Expected expected = new Expected(10_000);
    double right = 0;
    for (int row = 0; row < 20_000; row++) {
      double truth = random.nextGaussian() + (row < 10_000 ? 0 : 0.5);
      double label = random.nextDouble() < logistic.prediction(truth) ? 1 : 0;
      double[] score = {2 * truth};
      if (row < 10_000) {
        past.add(logistic, label, score, 1);
      } else {
        expected.add(logistic, score);
        right += (score[0] > 0 ? 1 : 0) == label ? 1 : 0;
      }
    }
    double measured = right / 10_000;

    assertThat(expected.uncorrected().get("accuracy")).isGreaterThan(measured + 0.08);
    assertThat(expected.figures(past).get("accuracy")).isEqualTo(measured, within(0.02));
  }

  @Test
  void calibration_measuresAsReportsDo() {
    Objective grades = new Softmax(3);
    double[] raw = {0.3, 0.1, 1};
    Calibration past = new Calibration(1);
    Expected expected = new Expected(1);
    expected.add(grades, raw);
    past.add(grades, 2, raw, 1);

    assertThat(expected.figures(past).get("logLoss")).isEqualTo(grades.loss(2, raw), within(1e-12));
    assertThat(expected.figures(past).get("accuracy"))
        .isEqualTo(grades.prediction(raw) == 2 ? 1 : 0, within(1e-12));
  }

  @Test
  void newestLabels_alone_correct() {
    Calibration past = new Calibration(2);
    for (int row = 0; row < 100; row++) {
      past.add(new Squared(), row < 98 ? 50 : 1, new double[1], 1);
    }
    Expected expected = new Expected(1);
    expected.add(new Squared(), new double[1]);

    assertThat(past.rows()).isEqualTo(2);
    assertThat(expected.figures(past).get("rmse")).isEqualTo(1, within(1e-12));
  }
}
