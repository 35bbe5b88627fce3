package io.holdfast.boosting.uncertainty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.objective.ClassCalibration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Probabilities that are wrong are seen to be, and corrected. */
class ProbabilitiesTest {
  private static final int ROWS = 20_000;

  private final Random random = new Random(1);
  private final List<double[]> said = new ArrayList<>();
  private final int[] labels = new int[ROWS];
  private final double[] weights = new double[ROWS];

  /** Labels by true probabilities; what is said is too sure, and leans to the first class. */
  private void say(int classes) {
    for (int row = 0; row < ROWS; row++) {
      double[] truth = new double[classes];
      double[] wrong = new double[classes];
      double sum = 0;
      double wrongSum = 0;
      for (int k = 0; k < classes; k++) {
        double score = random.nextGaussian();
        truth[k] = Math.exp(score);
        wrong[k] = Math.exp(2 * score + (k == 0 ? 1 : 0));
        sum += truth[k];
        wrongSum += wrong[k];
      }
      double draw = random.nextDouble() * sum;
      while (draw > truth[labels[row]]) {
        draw -= truth[labels[row]++];
      }
      for (int k = 0; k < classes; k++) {
        wrong[k] /= wrongSum;
      }
      said.add(wrong);
    }
  }

  private double error(ClassCalibration calibration) {
    var reliability = new Reliability();
    for (int row = 0; row < ROWS; row++) {
      reliability.add(calibration.corrected(said.get(row))[0], labels[row] == 0, 1);
    }
    return reliability.error();
  }

  @Test
  void ofTwoClasses_andOfMore_areCorrected() {
    for (int classes : new int[] {2, 4}) {
      said.clear();
      Arrays.fill(labels, 0);
      Arrays.fill(weights, 1);
      say(classes);
      var calibration = ClassCalibration.fit(said, labels, weights);
      assertThat(error(ClassCalibration.none(classes))).isGreaterThan(0.1);
      assertThat(error(calibration)).isLessThan(0.012);
      assertThat(calibration.slopes()).allSatisfy(a -> assertThat(a).isCloseTo(0.5, within(0.1)));
    }
  }

  @Test
  void correct_ones_stayAsTheyAre_andFewRowsChangeLittle() {
    double[] sure = {0.9, 0.1};
    assertThat(ClassCalibration.none(2).corrected(sure)).containsExactly(sure, within(1e-12));
    assertThat(ClassCalibration.fit(List.of(), new int[0], new double[0]))
        .isEqualTo(ClassCalibration.none(0));
    double[] after =
        ClassCalibration.fit(List.of(sure), new int[] {0}, new double[] {1}).corrected(sure);
    assertThat(after[0]).isCloseTo(0.9, within(0.05));
  }

  @Test
  void reliability_saysWhatCameOfEachTenth() {
    var reliability = new Reliability();
    reliability.add(0.25, true, 1);
    reliability.add(0.25, false, 1);
    reliability.add(1, true, 2);
    assertThat(reliability.bins())
        .containsExactly(new Reliability.Bin(2, 0.25, 0.5), new Reliability.Bin(2, 1, 1));
    assertThat(reliability.error()).isEqualTo(0.125);
    assertThat(new Reliability().error()).isNaN();
  }
}
