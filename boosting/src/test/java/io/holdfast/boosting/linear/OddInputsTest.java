package io.holdfast.boosting.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Base;
import io.holdfast.boosting.model.LinearTerm;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Skewed inputs, gross values, and those beyond what was learned from. */
class OddInputsTest {
  private static final LinearBase RIDGE = LinearBase.ridge(0.01);

  private static LinearFit fit(Objective objective, Rows rows) {
    return LinearSamples.fit(
        objective.fittedTo(rows),
        rows,
        LinearSamples.numeric(rows.width()),
        GroupMeans.ofEnvironments(rows),
        1,
        RIDGE,
        List.of());
  }

  /** An exponential feature that the logs of the labels' means rise with. */
  private static Rows exponential(RandomGenerator random, int size, String objective) {
    Rows.Builder rows = Rows.builder(1);
    for (int row = 0; row < size; row++) {
      double x = -StrictMath.log(1 - random.nextDouble());
      double mean = StrictMath.exp(0.5 * x);
      double label =
          objective.equals("poisson") ? poisson(random, mean) : mean * (0.5 + random.nextDouble());
      rows.add(new double[] {x}, label, "e");
    }
    return rows.build();
  }

  private static int poisson(RandomGenerator random, double mean) {
    double left = StrictMath.exp(-mean);
    int count = 0;
    for (double product = random.nextDouble(); product > left; product *= random.nextDouble()) {
      count++;
    }
    return count;
  }

  private static double loss(Objective objective, Rows rows, ToDoubleFunction<double[]> score) {
    double sum = 0;
    double[] values = new double[rows.width()];
    for (int row = 0; row < rows.size(); row++) {
      rows.copyFeatures(row, values);
      sum += objective.loss(rows.label(row), new double[] {score.applyAsDouble(values)});
    }
    return sum / rows.size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"poisson", "gamma", "tweedie"})
  void skewedFeature_hasASlope_inEverySample(String name) {
    Objective objective =
        name.equals("tweedie") ? Objective.of(name, Map.of("power", 1.5)) : Objective.named(name);
    Rows unseen = exponential(new SplittableRandom(1_000), 2_000, name);
    int better = 0;
    for (int seed = 0; seed < 100; seed++) {
      Rows rows = exponential(new SplittableRandom(seed), 100, name);
      LinearFit fit = fit(objective, rows);
      assertThat(fit.base().terms()).as("sample %s", seed).hasSize(1);
      assertThat(fit.leftOut()).isEmpty();
      double constant = objective.initialScores(rows)[0];
      better +=
          loss(objective, unseen, fit.base()::score) < loss(objective, unseen, x -> constant)
              ? 1
              : 0;
    }
    assertThat(better).isGreaterThanOrEqualTo(95);
  }

  @Test
  void numberThatIsZeroButForAFewRows_isLeftOutOfLogs_andNamed() {
    Rows.Builder builder = Rows.builder(2);
    var random = new SplittableRandom(5);
    for (int row = 0; row < 200; row++) {
      double x = random.nextGaussian();
      double rain = row == 77 ? 9 : 0;
      double label = row == 77 ? 0 : poisson(random, 50 * StrictMath.exp(0.3 * x));
      builder.add(new double[] {rain, x}, label, "e");
    }
    Rows rows = builder.build();
    LinearFit logs = fit(Objective.named("poisson"), rows);
    assertThat(logs.leftOut()).containsExactly(0);
    assertThat(logs.base().terms()).extracting(LinearTerm::feature).containsExactly(1);
    assertThat(logs.base().score(new double[] {9, 0})).isCloseTo(Math.log(50), within(0.3));
    LinearFit squared = fit(new Squared(), rows);
    assertThat(squared.leftOut()).isEmpty();
    assertThat(squared.base().terms()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "huber", "poisson"})
  void grossValue_doesNotSetTheSlope(String name) {
    Objective objective =
        name.equals("huber") ? Objective.of(name, Map.of("delta", 1.0)) : Objective.named(name);
    Rows.Builder clean = Rows.builder(1);
    Rows.Builder spoilt = Rows.builder(1);
    var random = new SplittableRandom(6);
    for (int row = 0; row < 300; row++) {
      double rain = 55 * random.nextDouble();
      double label = Math.floor(StrictMath.exp(2 + 0.03 * rain) + random.nextDouble());
      clean.add(new double[] {rain}, label, "e");
      spoilt.add(new double[] {row == 150 ? 9_831 : rain}, label, "e");
    }
    var right = (LinearTerm.Numeric) fit(objective, clean.build()).base().terms().getFirst();
    Base base = fit(objective, spoilt.build()).base();
    var term = (LinearTerm.Numeric) base.terms().getFirst();
    assertThat(term.slope(0)).isCloseTo(right.slope(0), within(0.1 * right.slope(0)));
    // What it was learned on ends at 55, so a value like that counts as one there.
    assertThat(term.range().high()).isBetween(54.0, 55.0);
    assertThat(base.score(new double[] {9_831}))
        .isEqualTo(base.score(new double[] {term.range().high()}));
    assertThat(base.clipped(new double[] {9_831})).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"squared", "logistic", "poisson"})
  void valuesBeyondTheLearned_countAsTheEnd(String name) {
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 101; row++) {
      builder.add(new double[] {row}, row % 7 < 3 + row / 40 ? 1 : 0, "e");
    }
    Base base = fit(Objective.named(name), builder.build()).base();
    double reach = name.equals("poisson") ? 0 : 50; // half of what was seen, except for logs
    InputEnds.check(base, -reach, 100 + reach);
  }

  @Test
  void everyFit_isBoundedByWhatItsRowsSaid() {
    for (long seed = 0; seed < 50; seed++) {
      checkBounds(new SplittableRandom(seed));
    }
  }

  private static void checkBounds(RandomGenerator random) {
    List<double[]> seen = new ArrayList<>();
    Rows.Builder builder = Rows.builder(2);
    for (int row = 0; row < 60; row++) {
      double[] values = {random.nextGaussian(), StrictMath.exp(2 * random.nextGaussian())};
      seen.add(values);
      builder.add(values, 3 * values[0] + Math.min(values[1], 20) + random.nextGaussian(), "e");
    }
    Base base = fit(new Squared(), builder.build()).base();
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (double[] values : seen) {
      least = Math.min(least, base.score(values));
      most = Math.max(most, base.score(values));
    }
    double spread = most - least;
    for (int k = 0; k < 10; k++) {
      double value = random.nextGaussian() * StrictMath.pow(10, random.nextInt(90));
      for (double[] row : List.of(new double[] {value, 1}, new double[] {0, value})) {
        assertThat(base.score(row)).isBetween(least - 3 * spread, most + 3 * spread);
      }
    }
  }

  @Test
  void whatIsMissing_isNotClipped() {
    Rows rows = exponential(new SplittableRandom(3), 100, "gamma");
    Base base = fit(Objective.named("gamma"), rows).base();
    for (double none : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1e101}) {
      assertThat(base.clipped(new double[] {none})).isZero();
      assertThat(base.score(new double[] {none})).isEqualTo(base.intercept(0));
    }
  }

  /** Where a line of one feature ends. */
  private static final class InputEnds {
    static void check(Base base, double low, double high) {
      double step = (high - low) / 1_000;
      assertThat(base.score(new double[] {low + step}))
          .isNotEqualTo(base.score(new double[] {low}));
      assertThat(base.score(new double[] {high - step}))
          .isNotEqualTo(base.score(new double[] {high}));
      for (double beyond : new double[] {step, 1_000, 1e50}) {
        assertThat(base.score(new double[] {low - beyond}))
            .isEqualTo(base.score(new double[] {low}));
        assertThat(base.score(new double[] {high + beyond}))
            .isEqualTo(base.score(new double[] {high}));
        assertThat(base.clipped(new double[] {high + beyond})).isOne();
      }
      assertThat(base.clipped(new double[] {low})).isZero();
      assertThat(base.clipped(new double[] {high})).isZero();
    }
  }
}
