package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import java.util.SplittableRandom;
import org.hipparchus.distribution.continuous.BetaDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BetaTest {
  @Test
  void loss_anyParameters_isMinusTheLogDensityOfAnotherLibrary() {
    for (double precision : new double[] {0.3, 2, 25, 400}) {
      for (double f = -4; f <= 4; f += 0.7) {
        double mean = 1 / (1 + Math.exp(-f));
        BetaDistribution beta = new BetaDistribution(mean * precision, (1 - mean) * precision);
        for (double label : new double[] {1e-5, 0.2, 0.5, 0.93}) {
          double density = beta.logDensity(label);
          assertThat(Beta.ofPrecision(precision).loss(label, f))
              .isCloseTo(-density, within(1e-10 * (1 + Math.abs(density))));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 5, 60, 3000})
  void refitted_labelsOfAKnownPrecision_findsIt(double precision) {
    double[] scores = new double[3000];
    Rows rows = sample(precision, scores);
    Beta fitted = Beta.ofEstimatedPrecision().refitted(rows, scores);
    if (precision > 1) { // below, labels so near 0 or 1 are not drawn precisely enough
      assertThat(fitted.precision() / precision).isCloseTo(1, within(0.08));
    }
    double step = 1e-4 * fitted.precision();
    double loss = loss(fitted, rows, scores);
    assertThat(loss(new Beta(fitted.precision() + step, true), rows, scores)).isGreaterThan(loss);
    assertThat(loss(new Beta(fitted.precision() - step, true), rows, scores)).isGreaterThan(loss);
  }

  @Test
  void refitted_fromAnywhere_isTheSameAndNeverWorse() {
    double[] scores = new double[200];
    Rows rows = sample(12, scores);
    double found = Beta.ofEstimatedPrecision().refitted(rows, scores).precision();
    for (double start : new double[] {1e-9, 1e-3, 0.7, 12, 5e3, 1e6, 1e12}) {
      Beta before = new Beta(start, true);
      Beta after = before.refitted(rows, scores);
      assertThat(after.precision() / found).isCloseTo(1, within(1e-7));
      assertThat(loss(after, rows, scores)).isLessThanOrEqualTo(loss(before, rows, scores));
    }
  }

  @Test
  void refitted_perfectOrHopelessScores_staysInItsBounds() {
    Rows same = Rows.builder(1).add(new double[1], 0.5, "a").add(new double[1], 0.5, "a").build();
    assertThat(Beta.ofEstimatedPrecision().fittedTo(same).precision())
        .isCloseTo(BetaLikelihood.HIGHEST_PRECISION, within(1.0));
    Rows hopeless =
        Rows.builder(1).add(new double[1], 1e-300, "a").add(new double[1], 0.5, "a").build();
    double precision =
        Beta.ofEstimatedPrecision().refitted(hopeless, new double[] {800, -800}).precision();
    assertThat(precision).isBetween(BetaLikelihood.LOWEST_PRECISION, 1.0);
  }

  @Test
  void refitted_givenPrecision_isKept() {
    double[] scores = new double[50];
    Rows rows = sample(12, scores);
    Beta given = Beta.ofPrecision(3);
    assertThat(given.refitted(rows, scores)).isSameAs(given);
    assertThat(given.fittedTo(rows)).isSameAs(given);
    assertThat(given.unfitted()).isEqualTo(given);
  }

  @Test
  void growthCurvature_anywhere_isTheMeanOfTheSecondDerivative() {
    for (double precision : new double[] {12, 40}) {
      Beta objective = Beta.ofPrecision(precision);
      for (double f = -1.5; f <= 1.5; f += 0.5) {
        double mean = objective.prediction(f);
        BetaDistribution beta = new BetaDistribution(mean * precision, (1 - mean) * precision);
        double expected = 0;
        int points = 20_000;
        for (int k = 0; k < points; k++) { // the middle of each of as many equal parts
          double label = (k + 0.5) / points;
          expected += beta.density(label) * objective.derivatives(label, f).second / points;
        }
        assertThat(objective.derivatives(0.5, f).growth / expected).isCloseTo(1, within(1e-3));
      }
    }
  }

  private static Rows sample(double precision, double[] scores) {
    SplittableRandom random = new SplittableRandom(8);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < scores.length; row++) {
      scores[row] = random.nextDouble(-1, 1);
      double mean = 1 / (1 + Math.exp(-scores[row]));
      double label =
          new BetaDistribution(mean * precision, (1 - mean) * precision)
              .inverseCumulativeProbability(random.nextDouble());
      builder.add(new double[1], Math.clamp(label, 1e-300, Math.nextDown(1.0)), "all");
    }
    return builder.build();
  }

  private static double loss(Beta objective, Rows rows, double[] scores) {
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += rows.weight(row) * objective.loss(rows.label(row), scores[row]);
    }
    return sum;
  }
}
