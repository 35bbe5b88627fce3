package io.holdfast.boosting.objective;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.Fit;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.scoring.Scorer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HuberTest {
  @Test
  void growthCurvature_anywhere_isThatOfAParabolaAboveTheLoss() {
    Huber huber = new Huber(0.8);
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 2000; trial++) {
      double label = random.nextDouble(-5, 5);
      double at = random.nextDouble(-5, 5);
      double to = random.nextDouble(-5, 5);
      double parabola =
          huber.loss(label, at)
              + huber.derivatives(label, at).first * (to - at)
              + 0.5 * huber.derivatives(label, at).growth * (to - at) * (to - at);
      assertThat(huber.loss(label, to)).isLessThanOrEqualTo(parabola + 1e-12);
    }
  }

  /** Hardly a row has a second derivative at the start, which would stop a Newton step. */
  @Test
  void training_labelsFarBeyondDelta_learnsThem() {
    SplittableRandom random = new SplittableRandom(2);
    Rows.Builder builder = Rows.builder(1);
    for (int row = 0; row < 600; row++) {
      double x = random.nextDouble();
      double noise = random.nextInt(20) == 0 ? 5000 : random.nextDouble(-1, 1);
      builder.add(new double[] {x}, (x < 0.3 ? -100 : x < 0.7 ? 20 : 300) + noise, "all");
    }
    Rows rows = builder.build();
    Huber huber = new Huber(0.5);
    Fit fit =
        new Booster(BoosterSettings.builder(huber).rounds(60).learningRate(0.3).build())
            .fit(List.of(new Feature.Numeric("x")), rows);
    Scorer scorer = Scorer.of(fit.model());
    assertThat(Evaluation.of(huber, rows, scorer.scores(rows)).loss())
        .isLessThan(0.05 * 5000 * 0.5 * 1.2);
    assertThat(scorer.score(new double[] {0.1})).isBetween(-102.0, -98.0);
    assertThat(scorer.score(new double[] {0.9})).isBetween(298.0, 302.0);
  }
}
