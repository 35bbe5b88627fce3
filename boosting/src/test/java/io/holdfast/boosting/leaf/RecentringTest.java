package io.holdfast.boosting.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.anchor.GroupMeans;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.Evaluation;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecentringTest {
  private static final List<Feature> FEATURES =
      List.of(new Feature.Numeric("a"), new Feature.Numeric("b"));

  static List<Objective> objectives() {
    return List.of(new Squared(), new Logistic(), new Poisson(), new Softmax(3));
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void loss_ofTheRows_neverRises_andTreesAndSlopesStay(Objective objective) {
    Model model = fitted(objective, null);
    Rows shifted = rows(objective, 2, 1);

    Model moved = Recentring.of(model, shifted, GroupMeans.ofEnvironments(shifted), 1);

    assertThat(loss(moved, shifted)).isLessThan(loss(model, shifted));
    assertThat(moved.segments()).isEqualTo(model.segments());
    assertThat(moved.base().terms()).isEqualTo(model.base().terms());
  }

  @Test
  void residuals_ofALinearBase_meanNothingAfterwards() {
    Model model = fitted(new Squared(), LinearBase.ridge(0.1));
    Rows shifted = rows(new Squared(), 2, 3);

    Model moved = Recentring.of(model, shifted, GroupMeans.ofEnvironments(shifted), 1);

    double[] scores = Scorer.of(moved).scores(shifted);
    double sum = 0;
    for (int row = 0; row < shifted.size(); row++) {
      sum += shifted.label(row) - scores[row];
    }
    assertThat(sum / shifted.size()).isCloseTo(0, within(1e-6));
    assertThat(moved.base().terms()).isNotEmpty().isEqualTo(model.base().terms());
  }

  private static Model fitted(Objective objective, @Nullable LinearBase base) {
    BoosterSettings settings =
        BoosterSettings.builder(objective).rounds(5).linearBase(base).build();
    return new Booster(settings).fit(FEATURES, rows(objective, 1, 0)).model();
  }

  private static double loss(Model model, Rows rows) {
    return Evaluation.of(model.objective(), rows, Scorer.of(model).scores(rows)).loss();
  }

  private static Rows rows(Objective objective, long seed, double shift) {
    SplittableRandom random = new SplittableRandom(seed);
    Rows.Builder rows = Rows.builder(2);
    for (int i = 0; i < 300; i++) {
      double a = random.nextDouble();
      double raw = 2 * a + shift + random.nextDouble();
      double label =
          switch (objective) {
            case Squared squared -> raw;
            case Poisson poisson -> Math.floor(raw);
            case Softmax softmax -> Math.min(2, Math.floor(raw));
            default -> raw > 1.5 ? 1 : 0;
          };
      rows.add(new double[] {a, random.nextDouble()}, label);
    }
    return rows.build();
  }
}
