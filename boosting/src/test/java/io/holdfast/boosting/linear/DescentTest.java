package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.anchor.Projection;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Huber;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DescentTest {
  @ParameterizedTest
  @MethodSource("io.holdfast.boosting.linear.LinearSamples#objectives")
  void penalisedAnchorLoss_neverRises_andEndsAtAMinimum(Objective objective) {
    Rows rows = LinearSamples.mixed(objective, 3, 400);
    Projection anchor = GroupMeans.ofEnvironments(rows);
    for (double gamma : new double[] {0, 0.5, 1, 4, 100}) {
      for (double ratio : new double[] {0, 0.5, 1}) {
        Objective fitted = objective.fittedTo(rows);
        Design design = Design.of(rows, LinearSamples.FEATURES, false, Design.MOST_KEPT);
        SmoothLoss loss = LinearFit.loss(fitted, rows, anchor, gamma, 0);
        double[] initial = fitted.initialScores(rows);
        double[][] start = new double[initial.length][design.columns()];
        for (int k = 0; k < initial.length; k++) {
          start[k][0] = initial[k];
        }
        ElasticNet penalty =
            LinearFit.penalty(rows, design, new LinearBase(0.02, ratio), List.of(), false);
        Descent descent = new Descent(loss, design, penalty, start);
        descent.run();
        List<Double> objectives = descent.objectives();
        for (int step = 1; step < objectives.size(); step++) {
          assertThat(objectives.get(step))
              .isLessThanOrEqualTo(
                  objectives.get(step - 1) + 1e-12 * Math.abs(objectives.get(step - 1)));
        }
        String what = objective.name() + " gamma " + gamma + " ratio " + ratio;
        assertThat(objectives.getLast()).as(what).isLessThan(objectives.getFirst());
        if (objective instanceof Huber && gamma != 1) {
          continue; // the slope of its penalty jumps, so a minimum may be where there is none
        }
        assertThat(objectives).as(what).hasSizeLessThan(20);
        assertMinimum(what, loss, design, descent, rows, new LinearBase(0.02, ratio));
      }
    }
  }

  @Test
  void outputsOfManyColumns_takeTurns_andArriveAllTheSame() {
    var random = new SplittableRandom(20);
    int width = Descent.JOINT / 3;
    Rows.Builder builder = Rows.builder(width);
    for (int row = 0; row < 60; row++) {
      double[] values = new double[width];
      Arrays.setAll(values, column -> random.nextGaussian());
      int label = values[0] > 0.3 ? 2 : values[1] > 0 ? 1 : 0;
      builder.add(values, label, "e" + row % 3);
    }
    Rows rows = builder.build();
    var settings = new LinearBase(0.3, 0);
    var softmax = new Softmax(3);
    Design design = Design.of(rows, LinearSamples.numeric(width), false, Design.MOST_KEPT);
    assertThat(3 * design.columns()).isGreaterThan(Descent.JOINT);
    SmoothLoss loss = LinearFit.loss(softmax, rows, GroupMeans.ofEnvironments(rows), 3, 0);
    ElasticNet penalty = LinearFit.penalty(rows, design, settings, List.of(), false);
    Descent descent = new Descent(loss, design, penalty, new double[3][design.columns()]);
    descent.run();
    assertThat(descent.objectives()).isSortedAccordingTo(Comparator.reverseOrder());
    assertMinimum("turns", loss, design, descent, rows, settings);
  }

  /** The slope of the loss is what the penalty holds against it. */
  private static void assertMinimum(
      String what,
      SmoothLoss loss,
      Design design,
      Descent descent,
      Rows rows,
      LinearBase settings) {
    double total = 0;
    for (int row = 0; row < rows.size(); row++) {
      total += rows.weight(row);
    }
    double l1 = total * settings.strength() * settings.l1Ratio();
    double l2 = total * settings.strength() * (1 - settings.l1Ratio());
    loss.evaluate(descent.scores());
    double[] gradients = new double[descent.scores().length];
    loss.gradients(gradients);
    double scale = 0;
    for (double gradient : gradients) {
      scale += Math.abs(gradient);
    }
    double[] slope = new double[design.columns()];
    for (int output = 0; output < gradients.length / rows.size(); output++) {
      double[] b = descent.coefficients()[output];
      design.transposeMultiply(gradients, output * rows.size(), slope, 0);
      for (int j = 0; j < slope.length; j++) {
        double pull = -slope[j] - (j > 0 ? l2 * b[j] : 0);
        String where = what + " output " + output + " column " + j;
        if (j == 0) {
          assertThat(pull).as(where).isCloseTo(0, within(1e-6 * scale));
        } else if (b[j] == 0) {
          assertThat(Math.abs(pull)).as(where).isLessThanOrEqualTo(l1 + 1e-6 * scale);
        } else {
          assertThat(pull).as(where).isCloseTo(l1 * Math.signum(b[j]), within(1e-6 * scale));
        }
      }
    }
  }
}
