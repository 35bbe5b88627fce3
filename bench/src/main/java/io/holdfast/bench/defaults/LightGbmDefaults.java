package io.holdfast.bench.defaults;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.boosting.data.Rows;
import org.jspecify.annotations.Nullable;

/** LightGBM, told of the loss and of which columns are categories, and of nothing else. */
final class LightGbmDefaults implements Learner {
  @Override
  public double[] scores(Problem problem, boolean stopping) throws LGBMException {
    String parameters = parameters(problem);
    Rows rows = stopping ? problem.fit() : problem.train();
    int rounds = stopping ? bestRound(problem, parameters) : ROUNDS;
    try (LightGbm trained = LightGbm.train(rows, parameters, rounds)) {
      return trained.scores(problem.test(), problem.objective().outputs());
    }
  }

  private static String parameters(Problem problem) {
    String categorical = LightGbm.categoricalColumns(problem.features());
    String loss =
        switch (problem.objective().name()) {
          case "squared" -> "regression";
          case "logistic" -> "binary";
          case "softmax" -> "multiclass num_class=" + problem.objective().classes();
          default -> throw new IllegalArgumentException(problem.objective().name());
        };
    return "objective="
        + loss
        + (categorical.isEmpty() ? "" : " categorical_feature=" + categorical)
        + " num_threads=1 deterministic=true force_col_wise=true verbosity=-1";
  }

  private static int bestRound(Problem problem, String parameters) throws LGBMException {
    try (LGBMDataset train = data(problem.fit(), parameters, null);
        LGBMDataset validation = data(problem.validation(), parameters, train)) {
      LGBMBooster booster = LGBMBooster.create(train, parameters);
      booster.addValidData(validation);
      int best = 1;
      double least = Double.POSITIVE_INFINITY;
      for (int round = 1; round <= MOST_ROUNDS && round <= best + PATIENCE; round++) {
        booster.updateOneIter();
        double loss = booster.getEval(1)[0];
        if (loss < least) {
          least = loss;
          best = round;
        }
      }
      booster.close();
      return best;
    }
  }

  @SuppressWarnings("NullAway") // a data set of its own has no reference
  private static LGBMDataset data(Rows rows, String parameters, @Nullable LGBMDataset reference)
      throws LGBMException {
    LGBMDataset data =
        LGBMDataset.createFromMat(
            LightGbm.matrix(rows), rows.size(), rows.width(), true, parameters, reference);
    data.setField("label", LightGbm.labels(rows));
    return data;
  }
}
