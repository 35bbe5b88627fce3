package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Softmax;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NearStartTest {
  private static final List<Feature> FEATURES = LinearSamples.FEATURES;
  private static final LinearBase RIDGE = LinearBase.ridge(0.05);

  private static Base fit(Objective objective, Rows rows, LinearBase settings, Base start) {
    var search = new LinearFit.Search(settings, List.of(), start);
    var anchor = GroupMeans.ofEnvironments(rows);
    return LinearFit.of(objective.fittedTo(rows), rows, FEATURES, anchor, 1, search).base();
  }

  private static Base constants(Objective objective) {
    return Base.constant(new double[objective.outputs()]);
  }

  /** Of losses that have one minimum. */
  @ParameterizedTest
  @MethodSource("io.holdfast.boosting.linear.LinearSamples#objectives")
  void fitToEarlierRows_leadsToTheSameMinimum(Objective objective) {
    if (objective.name().equals("beta")) {
      return; // it has several
    }
    Base earlier =
        fit(objective, LinearSamples.mixed(objective, 7, 400), RIDGE, constants(objective));
    assertThat(earlier.terms()).isNotEmpty();
    Rows rows = LinearSamples.mixed(objective, 8, 400);
    assertSameScores(
        fit(objective, rows, RIDGE, earlier), fit(objective, rows, RIDGE, constants(objective)));
  }

  @Test
  void startThatIsWorseThanConstants_isNotTaken() {
    Objective logistic = Objective.named("logistic");
    Rows rows = LinearSamples.mixed(logistic, 9, 300);
    Base far =
        Base.linear(
            new double[] {-40},
            List.of(
                new LinearTerm.Numeric(0, 3, 1e3),
                new LinearTerm.Categorical(1, 1, 50, -50, 8, 7, 6),
                new LinearTerm.Numeric(2, 0, -20)));
    assertThat(fit(logistic, rows, RIDGE, far))
        .isEqualTo(fit(logistic, rows, RIDGE, constants(logistic)));
  }

  /** Of many minima it is the one next to the constants, wherever the search began. */
  @Test
  void withoutRidge_isNotAsked() {
    var softmax = new Softmax(3);
    Rows rows = LinearSamples.mixed(softmax, 10, 300);
    Base earlier = fit(softmax, LinearSamples.mixed(softmax, 11, 300), RIDGE, constants(softmax));
    for (LinearBase settings : List.of(new LinearBase(0, 0), new LinearBase(0.01, 1))) {
      assertThat(fit(softmax, rows, settings, earlier))
          .isEqualTo(fit(softmax, rows, settings, constants(softmax)));
    }
  }

  /** What a step costs is a new second derivative: from near there are half as many. */
  @Test
  void descentFromNear_takesFewerSteps() {
    Objective logistic = Objective.named("logistic");
    Rows rows = LinearSamples.mixed(logistic, 12, 600);
    Design design = Design.of(rows, FEATURES, false, Design.MOST_KEPT);
    SmoothLoss loss = LinearFit.loss(logistic, rows, GroupMeans.ofEnvironments(rows), 1, 0);
    ElasticNet penalty = LinearFit.penalty(rows, design, RIDGE, List.of(), false);
    double[][] start = new double[1][design.columns()];
    var far = new Descent(loss, design, penalty, start);
    far.run();
    double[][] near = far.coefficients();
    near[0] = Arrays.stream(near[0]).map(value -> 1.001 * value).toArray();
    var again = new Descent(loss, design, penalty, near);
    again.run();

    assertThat(again.objectives()).hasSizeLessThan(far.objectives().size());
    for (int column = 0; column < design.columns(); column++) {
      assertThat(again.coefficients()[0][column])
          .isCloseTo(far.coefficients()[0][column], within(1e-7));
    }
  }

  private static void assertSameScores(Base one, Base other) {
    List<double[]> rows = new ArrayList<>();
    for (int k = 0; k < 20; k++) {
      rows.add(new double[] {0.1 * k - 1, k % 4, 990 + k, 1e-4 * k});
    }
    double[] ones = new double[one.outputs()];
    double[] others = new double[one.outputs()];
    for (double[] row : rows) {
      one.score(row, ones);
      other.score(row, others);
      for (int k = 0; k < ones.length; k++) {
        assertThat(ones[k])
            .isCloseTo(others[k], within(1e-5)); // huber, by small steps, is 1e-6 off
      }
    }
  }
}
