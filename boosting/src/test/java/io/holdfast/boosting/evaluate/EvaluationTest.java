package io.holdfast.boosting.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Probit;
import io.holdfast.boosting.objective.Squared;
import java.util.List;
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
