package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectiveTest {
  private static final double STEP = 1e-4;

  static Stream<ScalarObjective> scalars() {
    return Stream.of(
        new Squared(),
        new Absolute(),
        new Huber(1.5),
        new Quantile(0.9),
        new Logistic(),
        new Probit(),
        new Exponential(),
        new Ordinal(4, OrdinalLink.LOGIT),
        new Ordinal(3, OrdinalLink.PROBIT, Thresholds.of(-0.3, 0.01)),
        Beta.ofPrecision(7),
        new Beta(0.4, true),
        new Gamma(),
        new Poisson(),
        new Tweedie(1.3));
  }

  static Stream<Objective> objectives() {
    return Stream.concat(scalars(), Stream.of(new Softmax(2), new Softmax(5)));
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void derivatives_areSlopesOfTheOneBefore(ScalarObjective objective) {
    for (double label : labels(objective)) {
      for (double f = -40; f <= 40; f += 0.37) {
        double up = f + STEP;
        double down = f - STEP;
        String where = "at y=" + label + " f=" + f;
        double loss = objective.loss(label, f);
        if (Math.abs(Math.abs(label - f) - kink(objective)) <= STEP) {
          continue; // there is no slope to compare with
        }
        double gradient = objective.derivatives(label, f).first;
        double hessian = objective.derivatives(label, f).second;
        double third = objective.derivatives(label, f).third;
        // The error of a slope: rounding of the differences, and the next derivatives' part.
        double size = 1 + Math.abs(loss) + Math.abs(gradient) + Math.abs(hessian) + Math.abs(third);
        assertThat(gradient)
            .as("gradient " + where)
            .isCloseTo(
                slope(objective.loss(label, up), objective.loss(label, down)), within(1e-6 * size));
        assertThat(hessian)
            .as("hessian " + where)
            .isCloseTo(
                slope(
                    objective.derivatives(label, up).first,
                    objective.derivatives(label, down).first),
                within(1e-6 * size));
        assertThat(third)
            .as("third derivative " + where)
            .isCloseTo(
                slope(
                    objective.derivatives(label, up).second,
                    objective.derivatives(label, down).second),
                within(1e-6 * size));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void derivatives_byBlocks_sameBitsAsRowByRow(ScalarObjective objective) {
    Derivatives row = new Derivatives(true);
    DerivativeBlock block = new DerivativeBlock(true);
    double[] few = {0, -0.0, 1e-300, -1e-300, 1e-18, -1e-18, 1e-17, -1e-16, 705, -705};
    for (double label : labels(objective)) {
      for (int count : new int[] {0, 1, 9, DerivativeBlock.ROWS}) {
        Arrays.fill(block.labels, label);
        Arrays.setAll(block.scores, k -> k < few.length ? few[k] : 0.07 * k - 16);
        objective.derivatives(block, count);
        for (int k = 0; k < count; k++) {
          objective.derivatives(label, block.scores[k], row);
          String where = "label " + label + " score " + block.scores[k];
          assertThat(Double.valueOf(block.loss[k])).as(where).isEqualTo(row.loss);
          assertThat(Double.valueOf(block.first[k])).as(where).isEqualTo(row.first);
          assertThat(Double.valueOf(block.second[k])).as(where).isEqualTo(row.second);
          assertThat(Double.valueOf(block.third[k])).as(where).isEqualTo(row.third);
          assertThat(Double.valueOf(block.growth[k])).as(where).isEqualTo(row.growth);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void derivatives_inScratchUsedBefore_sameBitsAsInNewOneAndAsLoss(ScalarObjective objective) {
    Derivatives all = new Derivatives(true);
    for (double label : labels(objective)) {
      for (double f = -800; f <= 800; f += 0.81) {
        objective.derivatives(label, f, all);
        assertThat(all.loss).isEqualTo(objective.loss(label, f));
        assertThat(all.first).isEqualTo(objective.derivatives(label, f).first);
        assertThat(all.second).isEqualTo(objective.derivatives(label, f).second);
        assertThat(all.third).isEqualTo(objective.derivatives(label, f).third);
        assertThat(all.growth).isEqualTo(objective.derivatives(label, f).growth);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void growthCurvature_whereTheLossSlopes_isAboveZero(ScalarObjective objective) {
    for (double label : labels(objective)) {
      for (double f = -35; f <= 35; f += 0.7) {
        double curvature = objective.derivatives(label, f).growth;
        assertThat(curvature).isFinite();
        if (objective.derivatives(label, f).first != 0) {
          assertThat(curvature).as("y=%s f=%s", label, f).isPositive();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void anything_farOut_isFinite(ScalarObjective objective) {
    boolean grows = objective instanceof LogLinkObjective || objective instanceof Exponential;
    double[] scores =
        grows ? new double[] {-300, -40, 40, 300} : new double[] {-1e6, -800, -40, 40, 800, 1e6};
    for (double label : labels(objective)) {
      for (double f : scores) {
        assertThat(objective.loss(label, f)).isFinite();
        assertThat(objective.derivatives(label, f).first).isFinite();
        assertThat(objective.derivatives(label, f).second).isFinite();
        assertThat(objective.derivatives(label, f).third).isFinite();
        assertThat(objective.prediction(f)).isFinite();
        if (!(objective instanceof Beta)) {
          assertThat(objective.derivatives(label, f).second).isNotNegative();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void probabilities_ofAnyScores_addUpToOneAndAgreeWithLossAndPrediction(Objective objective) {
    int classes = objective.classes();
    double[] probabilities = new double[classes];
    double[] scores = new double[objective.outputs()];
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 200 && classes > 0; trial++) {
      Arrays.setAll(scores, k -> random.nextDouble(-30, 30));
      objective.probabilities(scores, probabilities);
      assertThat(Arrays.stream(probabilities).sum()).isCloseTo(1, within(1e-13));
      if (objective instanceof BinaryObjective) {
        assertThat(objective.prediction(scores)).isEqualTo(probabilities[1]);
        continue;
      }
      int likeliest = (int) objective.prediction(scores);
      for (int k = 0; k < classes; k++) {
        assertThat(Math.exp(-objective.loss(k, scores))).isCloseTo(probabilities[k], within(1e-13));
        assertThat(probabilities[likeliest]).isGreaterThanOrEqualTo(probabilities[k]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void initialScore_ofWeightedRows_noOtherConstantIsBetter(ScalarObjective configured) {
    if (configured instanceof Huber || configured instanceof Beta) {
      return; // the median, the logit of the mean
    }
    Rows rows = weightedRows(configured);
    ScalarObjective objective = (ScalarObjective) configured.fittedTo(rows);
    double score = objective.initialScore(rows);
    double loss = totalLoss(objective, rows, score);
    for (double other : new double[] {-1, -0.01, -1e-4, 1e-4, 0.01, 1}) {
      assertThat(totalLoss(objective, rows, score + other)).isGreaterThan(loss * (1 - 1e-14));
    }
  }

  @Test
  void initialScore_ofHuberAndBeta_isMedianAndLogitOfMean() {
    Rows.Builder builder = Rows.builder(1);
    for (double label : new double[] {0.9, 0.1, 0.3, 0.5}) {
      builder.add(new double[1], label, "all");
    }
    Rows rows = builder.build();
    assertThat(new Huber(0.1).initialScore(rows)).isCloseTo(0.4, within(1e-15));
    assertThat(Beta.ofPrecision(3).initialScore(rows))
        .isCloseTo(Math.log(0.45 / 0.55), within(1e-15));
  }

  @Test
  void initialScore_ofFourOnesAndTwoZeros_isLogOddsOfTheNotes() {
    Rows.Builder builder = Rows.builder(1);
    for (double label : new double[] {1, 1, 1, 1, 0, 0}) {
      builder.add(new double[1], label, "all");
    }
    Rows rows = builder.build();
    assertThat(new Logistic().initialScore(rows))
        .isCloseTo(0.69, within(5e-3))
        .isCloseTo(Math.log(2), within(1e-15));
    assertThat(new Exponential().initialScore(rows)).isCloseTo(0.5 * Math.log(2), within(1e-15));
    assertThat(new Softmax(2).initialScores(rows))
        .containsExactly(new double[] {Math.log(2 / 6.0), Math.log(4 / 6.0)}, within(1e-15));
  }

  @ParameterizedTest
  @CsvSource({
    "logistic, 0",
    "logistic, 1",
    "probit, 0",
    "probit, 1",
    "exponential, 0",
    "exponential, 1"
  })
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
  @MethodSource("objectives")
  void initialScores_ofOneRow_areFinite(Objective configured) {
    for (double label : labels(configured)) {
      Rows rows = Rows.builder(1).add(new double[1], label, 0.3, "all").build();
      Objective objective = configured.fittedTo(rows);
      double[] scores = objective.initialScores(rows);
      assertThat(scores).hasSize(objective.outputs());
      assertThat(Arrays.stream(scores)).allMatch(Double::isFinite);
      assertThat(objective.loss(label, scores)).isFinite();
      assertThat(objective.refitted(rows, scores).loss(label, scores)).isFinite();
    }
  }

  @ParameterizedTest
  @CsvSource({"logistic", "probit", "exponential"})
  void prediction_ofOppositeScores_addsUpToOne(String name) {
    ScalarObjective objective = (ScalarObjective) Objective.named(name);
    for (double f = 0; f < 40; f += 0.25) {
      assertThat(objective.prediction(f) + objective.prediction(-f)).isCloseTo(1, within(1e-15));
    }
    assertThat(objective.prediction(0)).isEqualTo(0.5);
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void accepts_labels_asTheRuleSays(Objective objective) {
    double nearOne = Math.nextDown(1.0);
    double[] allowed =
        switch (objective.labelRule()) {
          case "finite numbers" -> new double[] {-1e9, 0, 0.5, nearOne, 1, 4};
          case "0 or 1" -> new double[] {0, 1};
          case "finite numbers above 0" -> new double[] {0.5, nearOne, 1, 4};
          case "finite numbers of 0 or more" -> new double[] {0, 0.5, nearOne, 1, 4};
          case "above 0 and below 1" -> new double[] {0.5, nearOne};
          case "whole numbers from 0 to 1" -> new double[] {0, 1};
          case "whole numbers from 0 to 2" -> new double[] {0, 1};
          case "whole numbers from 0 to 3" -> new double[] {0, 1};
          case "whole numbers from 0 to 4" -> new double[] {0, 1, 4};
          default -> throw new AssertionError(objective.labelRule());
        };
    assertThat(new double[] {-1e9, 0, 0.5, nearOne, 1, 4, Double.NaN, Double.POSITIVE_INFINITY})
        .satisfies(
            all ->
                assertThat(Arrays.stream(all).filter(objective::accepts).toArray())
                    .isEqualTo(allowed));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void of_itsNameAndParameters_isTheSameObjective(Objective objective) {
    assertThat(Objective.of(objective.name(), objective.parameters())).isEqualTo(objective);
    Objective unfitted = objective.unfitted();
    assertThat(unfitted.unfitted()).isEqualTo(unfitted);
    Objective fitted = objective.fittedTo(SampleRows.of(objective, 1, 40, 2));
    assertThat(fitted.unfitted()).isEqualTo(unfitted);
    assertThat(Objective.of(fitted.name(), fitted.parameters())).isEqualTo(fitted);
  }

  @Test
  void named_withoutNeedOfParameters_takesDefaults() {
    assertThat(Objective.named("beta")).isEqualTo(Beta.ofEstimatedPrecision());
    assertThat(Objective.of("beta", Map.of("precision", 4.0))).isEqualTo(Beta.ofPrecision(4));
    assertThat(Objective.of("ordinal", Map.of("classes", 3.0)))
        .isEqualTo(new Ordinal(3, OrdinalLink.LOGIT));
    assertThat(Objective.of("ordinal", Map.of("classes", 3.0, "link", 1.0)))
        .isEqualTo(new Ordinal(3, OrdinalLink.PROBIT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logit||objective must be one of squared, absolute, huber, quantile, logistic, probit,"
            + " exponential, softmax, ordinal, beta, gamma, poisson, tweedie: logit",
        "squared|delta=1|the objective squared has no parameters: delta",
        "huber||the objective huber must have the parameter delta, above 0, in the unit of the"
            + " labels",
        "huber|delta=1,alpha=2|the objective huber has the parameters delta: alpha",
        "huber|delta=0|delta must be finite and above 0: 0.0",
        "huber|delta=NaN|delta must be finite and above 0: NaN",
        "quantile|alpha=1|alpha must be above 0 and below 1: 1.0",
        "tweedie|power=2|power must be above 1 and below 2: 2.0",
        "beta|precision=-1|precision must be finite and above 0: -1.0",
        "beta|estimated=0|the objective beta must have the parameter precision, above 0, unless"
            + " estimated is 1",
        "beta|estimated=2|estimated of the objective beta must be 0 or 1: 2.0",
        "softmax||the objective softmax must have the parameter classes, a whole number of 2 or"
            + " more",
        "softmax|classes=2.5|classes must be a whole number of 2 or more: 2.5",
        "softmax|classes=1|classes must be from 2 to 1000: 1",
        "ordinal|classes=1e9|classes must be from 2 to 1000: 1000000000",
        "ordinal|classes=3,theta1=0|the objective ordinal must have all of theta1 to theta2 or"
            + " none: it has 1",
        "ordinal|classes=3,theta1=0,theta2=0|theta2 must be above theta1, 0.0: 0.0",
        "ordinal|classes=3,theta1=0,theta2=Infinity|theta2 must be finite: Infinity",
      })
  void of_somethingWrong_saysWhatIsAllowed(String name, String parameters, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Objective.of(name, parse(parameters)))
        .withMessage(message);
  }

  private static Map<String, Double> parse(String parameters) {
    Map<String, Double> parsed = new HashMap<>();
    if (parameters != null) {
      for (String parameter : parameters.split(",", -1)) {
        String[] parts = parameter.split("=", -1);
        parsed.put(parts[0], Double.valueOf(parts[1]));
      }
    }
    return parsed;
  }

  /** How far from the label a derivative jumps. */
  private static double kink(Objective objective) {
    return switch (objective) {
      case Absolute _, Quantile _ -> 0;
      case Huber huber -> huber.delta();
      default -> Double.NaN;
    };
  }

  private static double[] labels(Objective objective) {
    return switch (objective) {
      case RealObjective _ -> new double[] {-3, 0.02, 1};
      case BinaryObjective _ -> new double[] {0, 1};
      case Gamma _ -> new double[] {1e-3, 1, 30};
      case LogLinkObjective _ -> new double[] {0, 1, 30};
      case Beta _ -> new double[] {1e-6, 0.2, 0.5, 0.9999};
      case Calibrated corrected -> labels(corrected.of());
      case Ordinal _, Softmax _ -> {
        double[] labels = new double[objective.classes()];
        Arrays.setAll(labels, k -> k);
        yield labels;
      }
    };
  }

  private static Rows weightedRows(Objective objective) {
    SplittableRandom random = new SplittableRandom(11);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 60; row++) {
      double label = SampleRows.labelFor(objective, random.nextDouble(-3, 2));
      builder.add(new double[1], label, 0.5 + row % 5, "all");
    }
    return builder.build();
  }

  private static double totalLoss(ScalarObjective objective, Rows rows, double score) {
    double sum = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += rows.weight(row) * objective.loss(rows.label(row), score);
    }
    return sum;
  }

  private static double slope(double up, double down) {
    return (up - down) / (2 * STEP);
  }
}
