package io.holdfast.boosting.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.evaluate.EnvironmentLosses;
import io.holdfast.boosting.linear.LinearBase;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.simulate.AnchorWorld;
import io.holdfast.boosting.split.TreeLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What gamma {@code auto} is worth where environments not seen are shifted. */
class GammaCriterionTest {
  private static final int WORLDS = 4;
  private static final AnchorWorld WORLD = new AnchorWorld(false, true);

  private static BoosterSettings settings(boolean linear) {
    return BoosterSettings.builder(new Squared())
        .rounds(15)
        .learningRate(0.2)
        .trees(new TreeLimits(8, 4, 10, 1e-3, 0))
        .linearBase(linear ? new LinearBase(1, 0) : null)
        .build();
  }

  private static double worst(BoosterSettings settings, Rows train, Rows unseen) {
    Model model = new Booster(settings).fit(WORLD.features(), train).model();
    return new Criterion.Worst()
        .of(EnvironmentLosses.excess(model.objective(), unseen, Scorer.scoresOf(model, unseen)));
  }

  /** The default insures where the mean sees no need to. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void auto_cutsTheWorstEnvironmentsLoss(boolean linear) {
    BoosterSettings plain = settings(linear);
    double ofPlain = 0;
    double ofFit = 0;
    double ofStream = 0;
    for (int world = 1; world <= WORLDS; world++) {
      Rows train = WORLD.rows(8, 60, 1, world);
      Rows unseen = WORLD.rows(16, 60, 1.5, 1_000 + world);
      ofPlain += worst(plain, train, unseen);
      GammaChoice fit = GammaSearch.DEFAULT.choose(plain, WORLD.features(), train);
      GammaChoice stream = LadderSearch.DEFAULT.choose(plain, WORLD.features(), train);
      ofFit += worst(fit.appliedTo(plain), train, unseen);
      ofStream += worst(stream.appliedTo(plain), train, unseen);
      assertThat(fit.trials()).allSatisfy(trial -> assertThat(trial.gamma()).isPositive());
      assertThat(fit.chosen().orElseThrow().mean())
          .as("what it costs is told")
          .isGreaterThanOrEqualTo(fit.leastMean().orElseThrow().mean());
    }
    assertThat(ofFit).isLessThan(0.97 * ofPlain);
    assertThat(ofStream).isLessThan(0.97 * ofPlain);
  }
}
