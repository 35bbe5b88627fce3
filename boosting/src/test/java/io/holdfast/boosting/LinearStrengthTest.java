package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.linear.Folds;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The strength of a linear base, chosen by cross-validation. */
class LinearStrengthTest {
  private static final int WIDTH = 40;
  private static final List<Feature> FEATURES =
      IntStream.range(0, WIDTH).<Feature>mapToObj(k -> new Feature.Numeric("x" + k)).toList();

  /** One feature tells of the label, and the others of nothing. */
  private static Rows rows(long seed, int size) {
    var random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(WIDTH);
    for (int row = 0; row < size; row++) {
      double[] values = random.doubles(WIDTH).toArray();
      rows.add(values, values[0] + random.nextGaussian(), "e" + row % 4);
    }
    return rows.build();
  }

  private static Fit fit(LinearBase base, Rows rows) {
    BoosterSettings settings =
        BoosterSettings.builder(new Squared())
            .linearBase(base)
            .rounds(1)
            .learningRate(1e-9)
            .build();
    return new Booster(settings).fit(FEATURES, rows);
  }

  private static double loss(Fit fit, Rows rows) {
    double[] scores = Scorer.of(fit.model()).scores(rows);
    return Arrays.stream(EnvironmentLosses.excess(new Squared(), rows, scores)).sum();
  }

  @ParameterizedTest
  @EnumSource(Folds.class)
  void strength_isNearTheBestOnOtherRows(Folds folds) {
    Rows rows = rows(1, 120);
    Rows others = rows(2, 5_000);
    List<Double> losses = new ArrayList<>();
    for (double strength : new double[] {1e-4, 1e-2, 0.1, 1, 100}) {
      losses.add(loss(fit(new LinearBase(strength, 0), rows), others));
    }
    double least = losses.stream().mapToDouble(Double::doubleValue).min().orElseThrow();

    Fit chosen = fit(LinearBase.chosenBy(folds, 0), rows);

    assertThat(loss(chosen, others)).isLessThan(1.1 * least).isLessThan(0.9 * losses.getFirst());
    assertThat(chosen.linearStrength()).isBetween(1e-4, 100.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1})
  void model_isThatOfTheStrengthGiven(double l1Ratio) {
    Rows rows = rows(3, 200);
    Fit chosen = fit(LinearBase.chosenBy(Folds.ROWS, l1Ratio), rows);
    double strength = Objects.requireNonNull(chosen.linearStrength());
    assertThat(chosen.model().base())
        .isEqualTo(fit(new LinearBase(strength, l1Ratio), rows).model().base());
  }

  @Test
  void givenStrength_isNotSaidToBeChosen() {
    assertThat(fit(new LinearBase(1, 0), rows(4, 50)).linearStrength()).isNull();
  }

  @Test
  void timeFolds_learnFromRowsBeforeAlone() {
    for (Folds.Fold fold : Folds.TIME.of(rows(5, 60), 1)) {
      assertThat(Arrays.stream(fold.train()).max().orElseThrow())
          .isLessThan(Arrays.stream(fold.test()).min().orElseThrow());
    }
    assertThat(Folds.TIME.of(rows(5, 60), 1)).hasSize(5);
  }

  @Test
  void environmentFolds_holdOutWholeEnvironments() {
    Rows rows = rows(6, 60);
    for (Folds.Fold fold : Folds.ENVIRONMENT.of(rows, 1)) {
      List<Integer> held =
          Arrays.stream(fold.test()).map(rows::environment).distinct().boxed().toList();
      assertThat(held).hasSize(1);
      assertThat(Arrays.stream(fold.train()).map(rows::environment).boxed())
          .doesNotContainAnyElementsOf(held);
    }
  }

  @Test
  void oneRow_leavesTheUsualStrength() {
    assertThat(fit(LinearBase.chosenBy(Folds.ENVIRONMENT, 0), rows(7, 1)).linearStrength())
        .isEqualTo(1);
  }
}
