package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.OrdinalLink.OrdinalTerms;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrdinalTest {
  @ParameterizedTest
  @EnumSource
  void refitted_overAndOver_neverCrossesNorRaisesTheLoss(OrdinalLink link) {
    for (long seed = 0; seed < 150; seed++) {
      refitOverAndOver(link, new SplittableRandom(seed));
    }
  }

  private static void refitOverAndOver(OrdinalLink link, SplittableRandom random) {
    int classes = random.nextInt(2, 9);
    int size = random.nextInt(1, 60);
    double spread = Math.exp(random.nextDouble(-5, 5));
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < size; row++) {
      builder.add(new double[1], random.nextInt(classes), random.nextDouble(0.1, 3), "all");
    }
    Rows rows = builder.build();
    double[] scores = random.doubles(size, -spread, spread).toArray();
    Ordinal objective = new Ordinal(classes, link).fittedTo(rows);
    double loss = loss(objective, rows, scores);
    for (int round = 0; round < 40; round++) {
      objective = objective.refitted(rows, scores);
      double next = loss(objective, rows, scores);
      assertThat(next).isLessThanOrEqualTo(loss);
      loss = next;
      for (int k = 1; k < classes - 1; k++) {
        assertThat(objective.thresholds().above(k))
            .isGreaterThan(objective.thresholds().above(k - 1));
      }
      // scores move between rounds
      double shift = random.nextDouble(-0.3, 0.3);
      int of = random.nextInt(size);
      scores[of] += shift;
      loss = loss(objective, rows, scores);
    }
  }

  /** What is next to nothing beside the others counts as little, and is no reason not to learn. */
  @ParameterizedTest
  @EnumSource
  void fittedTo_weightsNextToNothing_thresholdsDiffer(OrdinalLink link) {
    for (double least : new double[] {1e-8, 1e-20, 1e-300, Double.MIN_VALUE}) {
      for (double other : new double[] {1, 1e-250, Double.MIN_VALUE}) {
        Rows.Builder builder = Rows.builder(1);
        for (int row = 0; row < 12; row++) {
          builder.add(new double[1], row % 4, row % 4 == 1 || row % 4 == 3 ? least : other, "all");
        }
        Rows rows = builder.build();
        Ordinal fitted = new Ordinal(4, link).fittedTo(rows);
        Ordinal refitted = fitted.refitted(rows, new double[12]);
        for (int k = 1; k < 3; k++) {
          assertThat(refitted.thresholds().above(k))
              .isGreaterThan(refitted.thresholds().above(k - 1));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void refitted_atFixedScores_findsTheThresholdsThatMadeTheLabels(OrdinalLink link) {
    Thresholds truth = Thresholds.of(-1.2, -0.4, 0.1, 1.5);
    Ordinal maker = new Ordinal(5, link, truth);
    SplittableRandom random = new SplittableRandom(4);
    int size = 20_000;
    Rows.Builder builder = Rows.builder(1);
    double[] scores = new double[size];
    double[] probabilities = new double[5];
    for (int row = 0; row < size; row++) {
      scores[row] = random.nextDouble(-2, 2);
      maker.probabilities(new double[] {scores[row]}, probabilities);
      double u = random.nextDouble();
      int label = 0;
      while (label < 4 && u >= probabilities[label]) {
        u -= probabilities[label++];
      }
      builder.add(new double[1], label, "all");
    }
    Rows rows = builder.build();
    Ordinal fitted = new Ordinal(5, link).fittedTo(rows);
    for (int round = 0; round < 12; round++) {
      fitted = fitted.refitted(rows, scores);
    }
    for (int k = 0; k < 4; k++) {
      assertThat(fitted.thresholds().above(k)).isCloseTo(truth.above(k), within(0.06));
      assertThat(thresholdSlope(fitted, k, rows, scores)).isCloseTo(0, within(1e-5 * size));
    }
    assertThat(fitted.refitted(rows, scores).thresholds().above(1))
        .isCloseTo(fitted.thresholds().above(1), within(1e-7));
  }

  @ParameterizedTest
  @EnumSource
  void fittedTo_frequencies_scoreZeroGivesThem(OrdinalLink link) {
    Rows rows = rows(0, 0, 0, 1, 2, 2, 2, 2, 2, 2);
    double[] probabilities = new double[3];
    new Ordinal(3, link).fittedTo(rows).probabilities(new double[1], probabilities);
    assertThat(probabilities).containsExactly(new double[] {0.3, 0.1, 0.6}, within(1e-14));
  }

  @ParameterizedTest
  @EnumSource
  void refitted_classesWithoutRows_keepTheirGapsAndAllStaysFinite(OrdinalLink link) {
    for (double[] labels :
        new double[][] {{0, 0, 0}, {3, 3}, {5}, {1, 4, 4}, {0, 5}, {2, 3, 3, 2}}) {
      Rows rows = rows(labels);
      double[] scores = new double[labels.length];
      Arrays.setAll(scores, row -> 0.3 * row - 0.1);
      Ordinal start = new Ordinal(6, link).fittedTo(rows);
      Ordinal objective = start;
      for (int round = 0; round < 200; round++) {
        objective = objective.refitted(rows, scores);
      }
      double[] probabilities = new double[6];
      objective.probabilities(new double[1], probabilities);
      for (int k = 0; k < 6; k++) {
        int label = k;
        assertThat(probabilities[k]).isPositive();
        if (k > 0 && k < 5 && Arrays.stream(labels).noneMatch(y -> y == label)) {
          assertThat(objective.thresholds().gap(k))
              .isCloseTo(start.thresholds().gap(k), within(1e-9));
        }
      }
    }
  }

  @Test
  void prediction_narrowMiddleClass_isTheLikeliestNotTheIntervalHit() {
    Ordinal objective = new Ordinal(3, OrdinalLink.LOGIT, Thresholds.of(-0.1, 0.1));
    assertThat(objective.prediction(0.05)).isEqualTo(2); // the score lies in the interval of 1
    assertThat(objective.prediction(-3)).isZero();
    assertThat(objective.prediction(3)).isEqualTo(2);
    assertThat(new Ordinal(3, OrdinalLink.LOGIT, Thresholds.of(-3, 3)).prediction(0)).isEqualTo(1);
  }

  @Test
  void unfitted_ofAnyThresholds_givesAllClassesTheSameProbability() {
    for (OrdinalLink link : OrdinalLink.values()) {
      double[] probabilities = new double[4];
      new Ordinal(4, link, Thresholds.of(-7, 1, 2))
          .unfitted()
          .probabilities(new double[1], probabilities);
      assertThat(probabilities).containsOnly(new double[] {0.25}, within(1e-15));
    }
  }

  @Test
  void constructor_thresholdsThatDoNotFit_saysSo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ordinal(4, OrdinalLink.LOGIT, Thresholds.of(0, 1)))
        .withMessage("there must be a threshold less than the 4 classes: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Thresholds.of(0, Double.NaN))
        .withMessage("theta2 must be finite: NaN");
  }

  private static double thresholdSlope(Ordinal objective, int k, Rows rows, double[] scores) {
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      OrdinalTerms terms = objective.terms(rows.label(row), scores[row]);
      if (rows.label(row) == k) {
        sum += terms.upperSlope();
      } else if (rows.label(row) == k + 1) {
        sum += terms.lowerSlope();
      }
    }
    return sum;
  }

  private static double loss(Ordinal objective, Rows rows, double[] scores) {
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += rows.weight(row) * objective.loss(rows.label(row), scores[row]);
    }
    return sum;
  }

  private static Rows rows(double... labels) {
    Rows.Builder builder = Rows.builder(1);
    for (double label : labels) {
      builder.add(new double[1], label, "all");
    }
    return builder.build();
  }
}
