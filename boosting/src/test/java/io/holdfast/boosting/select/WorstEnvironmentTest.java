package io.holdfast.boosting.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.anchor.AnchorLoss;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Logistic;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Poisson;
import io.holdfast.boosting.objective.Softmax;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.TreeLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows the worst environment. */
class WorstEnvironmentTest {
  static Stream<Objective> objectives() {
    return Stream.of(new Squared(), new Logistic(), new Poisson(), new Softmax(3));
  }

  private static BoosterSettings settings(Objective objective) {
    return BoosterSettings.builder(objective)
        .rounds(10)
        .learningRate(0.3)
        .trees(new TreeLimits(6, 4, 5, 0.001, 0))
        .build();
  }

  private static double worst(Model model, Rows rows) {
    double[] losses =
        EnvironmentLosses.excess(model.objective(), rows, Scorer.of(model).scores(rows));
    return Arrays.stream(losses).max().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void postHocLeaves_onTheirRows_neverWorsenTheWorstEnvironment(Objective objective) {
    BoosterSettings settings = settings(objective);
    for (long seed = 1; seed <= 5; seed++) {
      Rows rows = SampleRows.of(objective, seed, 300, 4);
      Model model = new Booster(settings).fit(SampleRows.FEATURES, rows).model();
      var moved = WorstEnvironmentLeaves.DEFAULT.of(settings, model, rows);
      assertThat(moved.before()).isEqualTo(worst(model, rows));
      assertThat(moved.after()).isEqualTo(worst(moved.model(), rows));
      assertThat(moved.after()).isLessThanOrEqualTo(moved.before());
    }
  }

  @Test
  void postHocLeaves_whereEnvironmentsDiffer_helpTheWorst() {
    BoosterSettings settings = settings(new Squared());
    Rows rows = SampleRows.of(new Squared(), 1, 500, 5);
    Model model = new Booster(settings).fit(SampleRows.FEATURES, rows).model();
    var moved = WorstEnvironmentLeaves.DEFAULT.of(settings, model, rows);
    assertThat(moved.after()).isLessThan(moved.before());
    assertThat(moved.model().trees()).isEqualTo(model.trees());
  }

  @Test
  void groupDro_withoutSteps_isBoostingOnEqualShares() {
    Rows rows = SampleRows.of(new Squared(), 1, 300, 3);
    BoosterSettings settings = settings(new Squared());
    var fit = new GroupDro(0, settings.rounds()).fit(settings, SampleRows.FEATURES, rows);
    Rows equal = new EnvironmentWeights(rows).weighted();
    assertThat(fit.model())
        .isEqualTo(new Booster(settings).fit(SampleRows.FEATURES, equal).model());
    assertThat(fit.shares())
        .allSatisfy(share -> assertThat(share).isCloseTo(1.0 / 3, within(1e-12)));
  }

  @Test
  void groupDro_withSteps_helpsTheWorstOnTheTrainingRows() {
    Rows rows = SampleRows.of(new Squared(), 1, 500, 5);
    BoosterSettings settings = settings(new Squared());
    Model equal = new GroupDro(0, 1).fit(settings, SampleRows.FEATURES, rows).model();
    Model robust = new GroupDro(0.5, 1).fit(settings, SampleRows.FEATURES, rows).model();
    assertThat(robust.trees()).isEqualTo(equal.trees());
    List<AnchorLoss> told = new ArrayList<>();
    FitListener listener =
        (round, loss) -> {
          assertThat(round).isEqualTo(told.size());
          told.add(loss);
        };
    assertThat(new GroupDro(0.5, 1).fit(settings, SampleRows.FEATURES, rows, listener).losses())
        .hasSize(settings.rounds() + 1)
        .isEqualTo(told);
    assertThat(worst(robust, rows)).isLessThan(worst(equal, rows));
  }

  @Test
  void shares_ofRows_areOfTheirWeight() {
    Rows rows = SampleRows.of(new Squared(), 1, 300, 3);
    EnvironmentWeights weights = new EnvironmentWeights(rows);
    weights.move(new double[] {0, 0, 1}, 1, 1);
    Rows weighted = weights.weighted();
    double[] sums = new double[3];
    for (int row = 0; row < weighted.size(); row++) {
      sums[weighted.environment(row)] += weighted.weight(row);
    }
    double whole = Math.E + 2;
    assertThat(sums[2]).isCloseTo(300 * Math.E / whole, within(1e-9));
    assertThat(sums[0]).isCloseTo(300 / whole, within(1e-9));
  }
}
