package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where rows do not say what a linear base should be: it must not run away. */
class ScarceLabelsTest {
  private static Base fit(Objective objective, Rows rows, double gamma, LinearBase settings) {
    return LinearSamples.fit(
            objective.fittedTo(rows),
            rows,
            LinearSamples.numeric(2),
            GroupMeans.ofEnvironments(rows),
            gamma,
            settings,
            List.of())
        .base();
  }

  /** Nothing else would stop an intercept that no penalty holds. */
  @ParameterizedTest
  @CsvSource({
    "logistic, 0, 0", "logistic, 1, 1", "probit, 0, 0", "exponential, 1, 1", "poisson, 0, 0",
    "tweedie, 0, 0", "softmax, 0, 0", "softmax, 0, 2", "ordinal, 0, 0", "ordinal, 2, 2"
  })
  void labelsThatLeaveSomethingOut_leaveTheInterceptsOfTheBestConstant(
      String name, double first, double second) {
    Map<String, Double> parameters =
        switch (name) {
          case "softmax", "ordinal" -> Map.of("classes", 3.0);
          case "tweedie" -> Map.of("power", 1.5);
          default -> Map.of();
        };
    Objective objective = Objective.of(name, parameters);
    Rows.Builder builder = Rows.builder(2);
    var random = new SplittableRandom(4);
    for (int row = 0; row < 60; row++) {
      double[] features = {random.nextDouble(), random.nextInt(5)};
      builder.add(features, row % 3 == 0 ? second : first, 1, "e" + row % 2);
    }
    Rows rows = builder.build();
    Objective fitted = objective.fittedTo(rows);
    double[] constants = fitted.initialScores(rows);
    for (double strength : new double[] {1, 0.01}) {
      Base base = fit(objective, rows, 3, LinearBase.ridge(strength));
      for (int k = 0; k < constants.length; k++) {
        assertThat(base.intercept(k)).as("%s, output %s", name, k).isEqualTo(constants[k]);
      }
    }
  }

  /**
   * Its slope would be that row's alone, and the next such value's prediction e to the power of it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"poisson", "gamma", "tweedie", "squared", "logistic"})
  void aFeatureThatOneRowMakes_hasASlopeOnlyWhereScoresAreNotExponentiated(String name) {
    Rows.Builder builder = Rows.builder(2);
    var random = new SplittableRandom(5);
    for (int row = 0; row < 300; row++) {
      double[] features = {random.nextDouble(), row == 150 ? 0.2 : 0};
      double low = name.equals("logistic") ? 0 : 0.5;
      builder.add(features, row % 3 == 0 ? 1 : low, 1, "e" + row % 2);
    }
    Rows rows = builder.build();
    Objective objective =
        Objective.of(name, name.equals("tweedie") ? Map.of("power", 1.5) : Map.of());
    Base base = fit(objective, rows, 1, LinearBase.ridge(0.01));
    boolean logs = List.of("poisson", "gamma", "tweedie").contains(name);
    assertThat(base.terms()).hasSize(logs ? 1 : 2);
    assertThat(((LinearTerm.Numeric) base.terms().getFirst()).feature()).isZero();
  }
}
