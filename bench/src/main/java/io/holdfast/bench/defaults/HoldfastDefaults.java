package io.holdfast.bench.defaults;

import io.holdfast.bench.data.SampleModels;
import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;

/** {@code fit}. */
final class HoldfastDefaults implements Learner {
  @Override
  public double[] scores(Problem problem, boolean stopping) {
    BoosterSettings settings =
        SampleModels.settings(problem.objective(), stopping ? MOST_ROUNDS : ROUNDS)
            .penalties(Penalties.ridge(1))
            .build();
    EarlyStopping early =
        stopping
            ? new EarlyStopping(problem.validation(), new EarlyStopping.Criterion.Mean(), PATIENCE)
            : null;
    return Scorer.of(
            new Booster(settings)
                .extend(
                    Booster.untrained(settings, problem.features()),
                    problem.features(),
                    stopping ? problem.fit() : problem.train(),
                    early,
                    FitListener.NONE)
                .model())
        .scores(problem.test());
  }
}
