package io.holdfast.boosting;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.model.Scorer;
import io.holdfast.boosting.objective.Objective;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoosterTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("a"), new Feature.Categorical("b", List.of("x", "y", "z")));

  @ParameterizedTest
  @ValueSource(strings = {"squared", "logistic", "probit"})
  void extend_learnableRows_lowersLossAndScoresMatch(String name) {
    Objective objective = Objective.named(name);
    var settings =
        new BoosterSettings(objective, 7, 20, 0.3, new TreeLimits(8, 4, 5, 1e-3, 0), 1, 255, 0);
    Rows rows = rows(500);
    Fit fit =
        new Booster(settings)
            .extend(Booster.untrained(settings, FEATURES), FEATURES, rows, FitListener.NONE);
    assertThat(fit.losses()).hasSize(21);
    assertThat(fit.losses().getLast().total()).isLessThan(0.9 * fit.losses().getFirst().total());
    Model model = fit.model();
    double[] scores = Scorer.of(model).scores(rows);
    double loss = 0;
    for (int row = 0; row < rows.size(); row++) {
      loss += objective.loss(rows.label(row), scores[row]);
    }
    assertThat(loss).isEqualTo(fit.losses().getLast().base());
  }

  private static Rows rows(int size) {
    var random = new SplittableRandom(7);
    Rows.Builder builder = Rows.builder(2);
    for (int row = 0; row < size; row++) {
      double a = random.nextInt(10) == 0 ? Double.NaN : random.nextDouble();
      int b = random.nextInt(3);
      double signal = (a > 0.4 ? 1 : -1) + (b == 1 ? 1.5 : 0) + random.nextDouble() - 1;
      builder.add(new double[] {a, b}, signal > 0 ? 1 : 0, "e" + random.nextInt(4));
    }
    return builder.build();
  }
}
