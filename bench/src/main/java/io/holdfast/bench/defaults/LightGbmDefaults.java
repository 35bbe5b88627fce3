package io.holdfast.bench.defaults;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.NativeRows;
import io.holdfast.boosting.data.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** LightGBM, told of the loss and of which columns are categories, and of nothing else. */
final class LightGbmDefaults implements Learner {
  @Override
  public double[] scores(Problem problem, boolean stopping) {
    String parameters =
        LightGbm.objective(problem.objective())
            + " num_threads=1 deterministic=true force_col_wise=true verbosity=-1 "
            + LightGbm.categories(problem.features());
    Rows rows = stopping ? problem.fit() : problem.train();
    int rounds = stopping ? bestRound(problem, parameters) : ROUNDS;
    int outputs = problem.objective().outputs();
    return LightGbm.scores(rows, parameters, rounds, outputs, problem.test())[0];
  }

  private static int bestRound(Problem problem, String parameters) {
    try (Arena arena = Arena.ofConfined()) {
      var library = new LightGbm(parameters, arena);
      MemorySegment train =
          library.newDataset(NativeRows.of(problem.fit(), arena), MemorySegment.NULL);
      MemorySegment validation =
          library.newDataset(NativeRows.of(problem.validation(), arena), train);
      MemorySegment booster = library.newBooster(train);
      library.addValidation(booster, validation);
      int best = 1;
      double least = Double.POSITIVE_INFINITY;
      for (int round = 1; round <= MOST_ROUNDS && round <= best + PATIENCE; round++) {
        library.update(booster);
        double loss = library.validationLoss(booster);
        if (loss < least) {
          least = loss;
          best = round;
        }
      }
      library.freeBooster(booster);
      library.freeDataset(validation);
      library.freeDataset(train);
      return best;
    }
  }
}
