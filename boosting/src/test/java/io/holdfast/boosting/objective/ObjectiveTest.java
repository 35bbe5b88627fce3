package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectiveTest {
  private static final double STEP = 1e-4;

  static Stream<ScalarObjective> objectives() {
    return Stream.of(new Squared(), new Logistic(), new Probit());
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void derivatives_areSlopesOfTheOneBefore(ScalarObjective objective) {
    for (double label : new double[] {0, 1}) {
      for (double f = -60; f <= 60; f += 0.37) {
        double up = f + STEP;
        double down = f - STEP;
        Offset<Double> close = within(1e-6 * Math.max(1, Math.abs(f)));
        assertThat(objective.gradient(label, f))
            .as("gradient at y=%s f=%s", label, f)
            .isCloseTo(slope(objective.loss(label, up), objective.loss(label, down)), close);
        assertThat(objective.hessian(label, f))
            .as("hessian at y=%s f=%s", label, f)
            .isCloseTo(
                slope(objective.gradient(label, up), objective.gradient(label, down)), close);
        assertThat(objective.thirdDerivative(label, f))
            .as("third derivative at y=%s f=%s", label, f)
            .isCloseTo(slope(objective.hessian(label, up), objective.hessian(label, down)), close);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void derivatives_atOnce_sameBitsAsOneByOne(ScalarObjective objective) {
    Derivatives all = new Derivatives();
    for (double label : new double[] {0, 1}) {
      for (double f = -800; f <= 800; f += 0.81) {
        objective.derivatives(label, f, all);
        assertThat(all.first).isEqualTo(objective.gradient(label, f));
        assertThat(all.second).isEqualTo(objective.hessian(label, f));
        assertThat(all.third).isEqualTo(objective.thirdDerivative(label, f));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void anything_farOut_isFinite(ScalarObjective objective) {
    for (double label : new double[] {0, 1}) {
      for (double f : new double[] {-1e6, -800, -40, 40, 800, 1e6}) {
        assertThat(objective.loss(label, f)).isFinite().isNotNegative();
        assertThat(objective.gradient(label, f)).isFinite();
        assertThat(objective.hessian(label, f)).isFinite().isNotNegative();
        assertThat(objective.thirdDerivative(label, f)).isFinite();
        assertThat(objective.prediction(f)).isFinite();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void initialScore_ofWeightedRows_hasNoSlopeLeft(ScalarObjective objective) {
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 10; row++) {
      builder.add(new double[1], row < 3 ? 1 : 0, 0.5 + row, "all");
    }
    Rows rows = builder.build();
    double score = objective.initialScore(rows);
    double slope = 0;
    for (int row = 0; row < rows.size(); row++) {
      slope += rows.weight(row) * objective.gradient(rows.label(row), score);
    }
    assertThat(slope).isCloseTo(0, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"logistic, 0", "logistic, 1", "probit, 0", "probit, 1"})
  void initialScore_oneClassOnly_isAsIfHalfARowWereOfTheOther(String name, double label) {
    ScalarObjective objective = (ScalarObjective) Objective.named(name);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 10; row++) {
      builder.add(new double[1], label, 3, "all");
    }
    double prediction = objective.prediction(objective.initialScore(builder.build()));
    assertThat(prediction).isCloseTo(label == 1 ? 0.95 : 0.05, within(1e-12));
    Rows single = Rows.builder(1).add(new double[1], label, "all").build();
    assertThat(objective.initialScore(single)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"logistic", "probit"})
  void prediction_ofOppositeScores_addsUpToOne(String name) {
    ScalarObjective objective = (ScalarObjective) Objective.named(name);
    for (double f = 0; f < 40; f += 0.25) {
      assertThat(objective.prediction(f) + objective.prediction(-f)).isCloseTo(1, within(1e-15));
    }
    assertThat(objective.prediction(0)).isEqualTo(0.5);
  }

  @Test
  void accepts_labels_asTheRuleSays() {
    assertThat(new Squared().accepts(-1e9)).isTrue();
    assertThat(new Squared().accepts(Double.NaN)).isFalse();
    for (Objective binary : new Objective[] {new Logistic(), new Probit()}) {
      assertThat(binary.labelRule()).isEqualTo("0 or 1");
      assertThat(binary.accepts(0)).isTrue();
      assertThat(binary.accepts(1)).isTrue();
      assertThat(binary.accepts(-1)).isFalse();
      assertThat(binary.accepts(0.5)).isFalse();
      assertThat(binary.accepts(Double.NaN)).isFalse();
    }
  }

  @Test
  void named_unknown_saysWhichThereAre() {
    assertThat(objectives().map(o -> Objective.named(o.name())))
        .containsExactly(new Squared(), new Logistic(), new Probit());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Objective.named("logit"))
        .withMessage("objective must be one of squared, logistic, probit: logit");
  }

  private static double slope(double up, double down) {
    return (up - down) / (2 * STEP);
  }
}
