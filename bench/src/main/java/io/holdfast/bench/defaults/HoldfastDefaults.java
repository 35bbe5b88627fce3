package io.holdfast.bench.defaults;

import io.holdfast.boosting.Booster;
import io.holdfast.boosting.BoosterSettings;
import io.holdfast.boosting.EarlyStopping;
import io.holdfast.boosting.FitListener;
import io.holdfast.boosting.model.Model;
import io.holdfast.boosting.scoring.Scorer;
import io.holdfast.boosting.split.Penalties;
import io.holdfast.boosting.split.TreeLimits;

/** {@code fit}, with trees of that depth at most. */
record HoldfastDefaults(int maxDepth) implements Learner {
  @Override
  public double[] scores(Problem problem, boolean stopping) {
    BoosterSettings settings =
        BoosterSettings.builder(problem.objective())
            .gamma(1)
            .rounds(stopping ? MOST_ROUNDS : ROUNDS)
            .learningRate(0.1)
            .trees(TreeLimits.DEFAULT.withMaxDepth(maxDepth))
            .penalties(Penalties.ridge(1))
            .maxBins(255)
            .seed(1)
            .build();
    Model untrained = Booster.untrained(settings, problem.features());
    var rows = stopping ? problem.fit() : problem.train();
    EarlyStopping early =
        stopping
            ? new EarlyStopping(problem.validation(), new EarlyStopping.Criterion.Mean(), PATIENCE)
            : null;
    Model model =
        new Booster(settings)
            .extend(untrained, problem.features(), rows, early, FitListener.NONE)
            .model();
    return Scorer.of(model).scores(problem.test());
  }
}
