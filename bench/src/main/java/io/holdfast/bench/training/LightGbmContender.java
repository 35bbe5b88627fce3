package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.NativeRows;
import io.holdfast.schemas.Sentence;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** LightGBM, called in C, from a matrix that is there. */
final class LightGbmContender implements Contender {
  private final WindowTask task;
  private final LightGbm library;
  private final NativeRows window;
  private final NativeRows test;
  private final MemorySegment scores; // of the earlier ensemble, on the window
  private final MemorySegment testScores;
  private final MemorySegment before;
  private MemorySegment booster = MemorySegment.NULL;

  LightGbmContender(WindowTask task, Arena arena) {
    this.task = task;
    library = new LightGbm(parameters(task, task.binary() ? "binary" : "regression"), arena);
    window = NativeRows.of(task.window(), arena);
    test = NativeRows.of(task.test(), arena);
    scores = arena.allocate(ValueLayout.JAVA_DOUBLE, window.rows());
    testScores = arena.allocate(ValueLayout.JAVA_DOUBLE, test.rows());
    before =
        library.newBooster(
            library.newDataset(NativeRows.of(task.before(), arena), MemorySegment.NULL));
    for (int round = 0; round < task.ensemble(); round++) {
      library.update(before);
    }
  }

  static String parameters(WindowTask task, String objective) {
    return Sentence.of(
        """
        objective=%s num_leaves=%d learning_rate=%s max_bin=%d min_data_in_leaf=%d \
        min_sum_hessian_in_leaf=%s lambda_l2=0 boost_from_average=true num_threads=%d verbosity=-1\
        """,
        objective,
        WindowTask.LEAVES,
        WindowTask.LEARNING_RATE,
        WindowTask.MAX_BINS,
        WindowTask.MIN_ROWS,
        WindowTask.MIN_HESSIAN,
        task.threads());
  }

  @Override
  public Times run() {
    free();
    double start = task.millis();
    library.predict(before, window, scores);
    MemorySegment data = library.newDataset(window, MemorySegment.NULL);
    library.setInitialScores(data, scores, window.rows());
    booster = library.newBooster(data);
    double prepared = task.millis();
    for (int round = 0; round < WindowTask.ROUNDS; round++) {
      library.update(booster);
    }
    double end = task.millis();
    library.freeDataset(data);
    return new Times(end - prepared, end - start);
  }

  @Override
  public double testLoss() {
    double[] sums = new double[test.rows()];
    for (MemorySegment part : new MemorySegment[] {before, booster}) {
      library.predict(part, test, testScores);
      for (int row = 0; row < sums.length; row++) {
        sums[row] += testScores.getAtIndex(ValueLayout.JAVA_DOUBLE, row);
      }
    }
    return MeanLoss.of(task.objective(), task.test(), sums);
  }

  private void free() {
    if (!booster.equals(MemorySegment.NULL)) {
      library.freeBooster(booster);
      booster = MemorySegment.NULL;
    }
  }

  @Override
  public void close() {
    free();
    library.freeBooster(before);
  }
}
