package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Absolute;
import io.holdfast.boosting.objective.Beta;
import io.holdfast.boosting.objective.Exponential;
import io.holdfast.boosting.objective.Gamma;
import io.holdfast.boosting.objective.LogLinkObjective;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Ordinal;
import io.holdfast.boosting.objective.OrdinalLink;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Quantile;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.objective.Thresholds;
import io.holdfast.boosting.objective.Tweedie;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluationTest {
  @Test
  void of_squared_weightedErrors() {
    Rows rows = Rows.builder(1).add(new double[1], 1, 1, "a").add(new double[1], 5, 3, "b").build();
    Evaluation all = Evaluation.of(new Squared(), rows, new double[] {2, 3});
    assertThat(all.environment()).isEmpty();
    assertThat(all.rows()).isEqualTo(2);
    assertThat(all.loss()).isEqualTo((0.5 + 3 * 2) / 4);
    assertThat(all.metrics()).containsOnlyKeys("mae", "rmse");
    assertThat(all.metrics().get("mae")).isEqualTo((1 + 3 * 2) / 4.0);
    assertThat(all.metrics().get("rmse")).isEqualTo(Math.sqrt((1 + 3 * 4) / 4.0));
  }

  @Test
  void of_logistic_weightedMetrics() {
    Rows.Builder builder = Rows.builder(1);
    builder.add(new double[1], 1, 2, "a");
    builder.add(new double[1], 0, 1, "a");
    builder.add(new double[1], 1, 1, "a");
    builder.add(new double[1], 0, 4, "a");
    double[] scores = {1.5, 1.5, -2, 0};
    Evaluation all = Evaluation.of(new Logistic(), builder.build(), scores);
    assertThat(all.metrics()).containsOnlyKeys("accuracy", "auc", "logLoss");
    // Score 0 is one half, so not predicted to be 1.
    assertThat(all.metrics().get("accuracy")).isEqualTo((2 + 4) / 8.0);
    // Pairs of a 1 and a 0: 2·1 tied, 2·4 won, 1·1 and 1·4 lost.
    assertThat(all.metrics().get("auc")).isEqualTo((1 + 8) / 15.0);
    assertThat(all.metrics().get("logLoss")).isEqualTo(all.loss());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void of_anyScores_aucAsCountedPairByPair(long seed) {
    var random = new SplittableRandom(seed);
    Rows.Builder builder = Rows.builder(1);
    double[] scores = new double[60];
    for (int row = 0; row < 60; row++) {
      builder.add(new double[1], random.nextInt(2), 0.5 + random.nextInt(3), "a");
      scores[row] = random.nextInt(9) - 4;
    }
    Rows rows = builder.build();
    double won = 0;
    double pairs = 0;
    for (int one = 0; one < 60; one++) {
      for (int zero = 0; zero < 60; zero++) {
        if (rows.label(one) == 1 && rows.label(zero) == 0) {
          double weight = rows.weight(one) * rows.weight(zero);
          pairs += weight;
          won += weight * 0.5 * (1 + Math.signum(scores[one] - scores[zero]));
        }
      }
    }
    Evaluation all = Evaluation.of(new Probit(), rows, scores);
    assertThat(all.metrics().get("auc")).isCloseTo(won / pairs, within(1e-12));
  }

  @Test
  void of_oneClassOnly_hasNoAuc() {
    Rows rows = Rows.builder(1).add(new double[1], 1, "a").add(new double[1], 1, "a").build();
    assertThat(Evaluation.of(new Logistic(), rows, new double[] {1, -1}).metrics())
        .containsOnlyKeys("accuracy", "logLoss");
  }

  @Test
  void of_softmax_metricsOfClasses() {
    Rows.Builder builder = Rows.builder(1);
    for (double label : new double[] {0, 1, 1, 2}) {
      builder.add(new double[1], label, "a");
    }
    // Output by output: rows 0, 1 and 3 are right, row 2 is taken for 0.
    double[] scores = {3, 0, 2, 0, /**/ 0, 3, 1, 0, /**/ 0, 0, 0, 5};
    Softmax softmax = new Softmax(3);
    Evaluation all = Evaluation.of(softmax, builder.build(), scores);
    assertThat(all.metrics()).containsOnlyKeys("accuracy", "auc", "logLoss");
    assertThat(all.metrics().get("accuracy")).isEqualTo(0.75);
    assertThat(all.metrics().get("logLoss")).isEqualTo(all.loss());
    assertThat(all.metrics().get("auc")).isEqualTo(1); // each class apart from the rest
    double loss = softmax.loss(0, 3, 0, 0) + softmax.loss(1, 0, 3, 0);
    loss += softmax.loss(1, 2, 1, 0) + softmax.loss(2, 0, 0, 5);
    assertThat(all.loss()).isCloseTo(loss / 4, within(1e-15));
  }

  @Test
  void of_softmaxOfTwoClasses_agreesWithLogistic() {
    Rows rows = SampleRows.of(new Logistic(), 5, 200, 3);
    double[] scores = new SplittableRandom(5).doubles(400, -2, 2).toArray();
    double[] differences = new double[200];
    Arrays.setAll(differences, row -> scores[200 + row] - scores[row]);
    Evaluation logistic = Evaluation.of(new Logistic(), rows, differences);
    Evaluation softmax = Evaluation.of(new Softmax(2), rows, scores);
    assertThat(softmax.metrics().keySet()).isEqualTo(logistic.metrics().keySet());
    for (String name : logistic.metrics().keySet()) {
      assertThat(softmax.metrics().get(name))
          .isCloseTo(logistic.metrics().get(name), within(1e-12));
    }
  }

  @Test
  void of_ordinal_countsHowManyClassesOff() {
    Ordinal ordinal = new Ordinal(4, OrdinalLink.LOGIT, Thresholds.of(-4, 0, 4));
    Rows.Builder builder = Rows.builder(1);
    builder.add(new double[1], 0, 1, "a");
    builder.add(new double[1], 3, 3, "a");
    Evaluation all = Evaluation.of(ordinal, builder.build(), new double[] {-2, -9});
    assertThat(all.metrics()).containsOnlyKeys("accuracy", "mae", "logLoss");
    assertThat(all.metrics().get("accuracy")).isZero();
    assertThat(all.metrics().get("mae")).isEqualTo((1 + 3 * 3) / 4.0);
    assertThat(all.metrics().get("logLoss")).isEqualTo(all.loss());
  }

  @Test
  void of_exponential_logLossIsOfItsProbabilities() {
    Rows rows = Rows.builder(1).add(new double[1], 1, "a").add(new double[1], 0, "a").build();
    Exponential exponential = new Exponential();
    Evaluation all = Evaluation.of(exponential, rows, new double[] {0.3, -1.2});
    double logLoss =
        -Math.log(exponential.prediction(0.3)) - Math.log(1 - exponential.prediction(-1.2));
    assertThat(all.metrics().get("logLoss")).isCloseTo(logLoss / 2, within(1e-15));
    assertThat(all.loss()).isCloseTo((Math.exp(-0.3) + Math.exp(-1.2)) / 2, within(1e-15));
  }

  @Test
  void of_regressionLosses_eachItsMetrics() {
    Rows rows = Rows.builder(1).add(new double[1], 0.5, "a").build();
    assertThat(Evaluation.of(new Quantile(0.9), rows, new double[1]).metrics())
        .containsOnly(Map.entry("mae", 0.5), Map.entry("rmse", 0.5), Map.entry("pinball", 0.45));
    assertThat(Evaluation.of(new Absolute(), rows, new double[1]).metrics())
        .containsOnlyKeys("mae", "rmse");
    assertThat(Evaluation.of(Beta.ofPrecision(4), rows, new double[1]).metrics())
        .containsOnly(Map.entry("mae", 0.0), Map.entry("rmse", 0.0));
    for (Objective objective : new Objective[] {new Gamma(), new Poisson(), new Tweedie(1.5)}) {
      assertThat(Evaluation.of(objective, rows, new double[1]).metrics())
          .containsOnlyKeys("mae", "rmse", "deviance");
    }
  }

  @Test
  void deviance_ofLogLinks_isTwiceTheLossAboveItsLeast() {
    for (LogLinkObjective objective :
        new LogLinkObjective[] {new Gamma(), new Poisson(), new Tweedie(1.2), new Tweedie(1.9)}) {
      for (double label : new double[] {1e-3, 1, 70}) {
        double best = Math.log(label);
        assertThat(objective.deviance(label, best)).isCloseTo(0, within(1e-12));
        for (double f = -3; f <= 5; f += 0.5) {
          double above = 2 * (objective.loss(label, f) - objective.loss(label, best));
          assertThat(objective.deviance(label, f))
              .isCloseTo(above, within(1e-10 * (1 + Math.abs(objective.loss(label, f)))))
              .isNotNegative();
        }
      }
      if (objective.accepts(0)) {
        assertThat(objective.deviance(0, -2)).isEqualTo(2 * objective.loss(0, -2));
      }
    }
  }

  @Test
  void byEnvironment_inOrderOfAppearance_weighsUpToTheWhole() {
    Objective objective = new Logistic();
    Rows rows = SampleRows.of(objective, 4, 300, 3);
    double[] scores = new double[300];
    var random = new SplittableRandom(4);
    for (int row = 0; row < 300; row++) {
      scores[row] = random.nextDouble() - 0.5;
    }
    List<Evaluation> parts = Evaluation.byEnvironment(objective, rows, scores);
    assertThat(parts).extracting(Evaluation::environment).isEqualTo(rows.environments());
    double loss = parts.stream().mapToDouble(part -> part.rows() * part.loss()).sum();
    assertThat(loss / 300).isCloseTo(Evaluation.of(objective, rows, scores).loss(), within(1e-12));
  }

  @Test
  void of_noRowsOrTooFewScores_saysSo() {
    Rows rows = Rows.builder(1).add(new double[1], 1, "a").build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Evaluation.of(new Squared(), rows, new double[2]))
        .withMessage("there must be a raw score for each of the 1 rows and 1 outputs: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Evaluation.of(new Squared(), Rows.builder(1).build(), new double[0]))
        .withMessage("there must be at least 1 row to evaluate: 0");
  }
}
