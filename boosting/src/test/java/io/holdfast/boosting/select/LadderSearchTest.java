package io.holdfast.boosting.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping.Criterion;
import io.holdfast.boosting.SampleRows;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import io.holdfast.boosting.objective.Squared;
import io.holdfast.boosting.simulate.SimulatedRow;
import io.holdfast.boosting.simulate.SimulatedStream;
import io.holdfast.boosting.simulate.StructuralStream;
import io.holdfast.boosting.split.TreeLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

class LadderSearchTest {
  private static BoosterSettings settings(Objective objective, double gamma) {
    return BoosterSettings.builder(objective)
        .gamma(gamma)
        .rounds(15)
        .learningRate(0.2)
        .trees(new TreeLimits(8, 4, 5, 1e-3, 0))
        .build();
  }

  /**
   * Of the present gamma the trees are its own, so that its losses are those of the full search.
   */
  @Test
  void lossesOfThePresentGamma_areThoseOfTheFullSearch() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 4);
    BoosterSettings settings = settings(new Squared(), 4);
    GammaChoice quick =
        new LadderSearch(List.of(1.0, 4.0), new Criterion.Mean(), 0, 3, 1, 8)
            .choose(settings, SampleRows.FEATURES, rows);
    GammaChoice full =
        new GammaSearch(List.of(1.0, 4.0), new Criterion.Mean(), false, 3, 1, 8)
            .choose(settings, SampleRows.FEATURES, rows);
    assertThat(quick.trials()).hasSize(2);
    assertThat(quick.trials().get(1).risk()).isCloseTo(full.trials().get(1).risk(), within(1e-12));
  }

  @Test
  void present_withinTheMargin_stays() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 4);
    for (double gamma : new double[] {1, 3, 16}) {
      GammaChoice choice =
          new LadderSearch(List.of(1.0, 4.0, 16.0), new Criterion.Mean(), 10, 3, 1, 8)
              .choose(settings(new Squared(), gamma), SampleRows.FEATURES, rows);
      assertThat(choice.gamma()).isEqualTo(gamma);
    }
  }

  @Test
  void present_withTooFewEnvironments_stays() {
    Rows rows = SampleRows.of(new Squared(), 1, 400, 2);
    GammaChoice choice =
        LadderSearch.DEFAULT.choose(settings(new Squared(), 3), SampleRows.FEATURES, rows);
    assertThat(choice.gamma()).isEqualTo(3);
    assertThat(choice.trials()).isEmpty();
  }

  /** Shortcuts that shift between environments: a strong anchor helps those left out. */
  @Test
  void strongShift_isAnsweredByAStrongerAnchor() {
    SimulatedStream stream = StructuralStream.regression(6, row -> 2, 3);
    Rows.Builder rows = Rows.builder(stream.features().size());
    for (int row = 0; row < 3_000; row++) {
      SimulatedRow next = stream.next();
      rows.add(next.features(), next.label(), "e" + next.environment());
    }
    LadderSearch eager =
        new LadderSearch(LadderSearch.DEFAULT.gammas(), new Criterion.Mean(), 0, 3, 20, 4);
    GammaChoice choice = eager.choose(settings(new Squared(), 1), stream.features(), rows.build());
    assertThat(choice.gamma()).isGreaterThan(1);
  }
}
