package io.holdfast.bench.training;

import io.holdfast.bench.data.MeanLoss;
import io.holdfast.bench.peer.LightGbmLibrary;
import io.holdfast.boosting.data.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** LightGBM, called in C, from a matrix that is there. */
final class LightGbmContender implements Contender {
  private final String name;
  private final Task task;
  private final String parameters;
  private final LightGbmLibrary library;
  private final Stopwatch watch;
  private final NativeRows window;
  private final NativeRows test;
  private final MemorySegment scores; // of the earlier ensemble, on the window
  private final MemorySegment testScores;
  private final MemorySegment before;
  private final MemorySegment reference; // whose bins are taken, or NULL
  private MemorySegment booster = MemorySegment.NULL;

  /**
   * One with further parameters, in LightGBM's own notation, after an ensemble that had none.
   *
   * @param reuseBins whether the window has the bins of the earlier one, found beforehand
   */
  LightGbmContender(String name, Task task, String further, boolean reuseBins, Arena arena) {
    this.name = name;
    this.task = task;
    parameters = parameters(task) + " " + further;
    library = new LightGbmLibrary(arena);
    watch = new Stopwatch(task.threads());
    window = new NativeRows(task.window(), arena);
    test = new NativeRows(task.test(), arena);
    scores = arena.allocate(ValueLayout.JAVA_DOUBLE, task.window().size());
    testScores = arena.allocate(ValueLayout.JAVA_DOUBLE, task.test().size());
    NativeRows earlier = new NativeRows(task.before(), arena);
    MemorySegment data = dataset(earlier, MemorySegment.NULL);
    library.setLabels(data, earlier.labels, earlier.rows);
    before = library.newBooster(data, parameters(task));
    for (int round = 0; round < task.ensemble(); round++) {
      library.update(before);
    }
    reference = reuseBins ? data : MemorySegment.NULL;
  }

  static String parameters(Task task) {
    return "objective="
        + (task.binary() ? "binary" : "regression")
        + " num_leaves="
        + task.leaves()
        + " learning_rate="
        + Task.LEARNING_RATE
        + " max_bin="
        + Task.MAX_BINS
        + " min_data_in_leaf="
        + Task.MIN_ROWS
        + " min_sum_hessian_in_leaf="
        + Task.MIN_HESSIAN
        + " lambda_l2=0 verbosity=-1 boost_from_average=true num_threads="
        + task.threads();
  }

  private MemorySegment dataset(NativeRows rows, MemorySegment binned) {
    return library.newDataset(rows.matrix, rows.rows, rows.width, parameters, binned);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Times run() {
    free();
    watch.start();
    library.predict(before, window.matrix, window.rows, window.width, parameters, scores);
    MemorySegment data = dataset(window, reference);
    library.setLabels(data, window.labels, window.rows);
    library.setInitialScores(data, scores, window.rows);
    booster = library.newBooster(data, parameters);
    double prepared = watch.millis();
    for (int round = 0; round < task.rounds(); round++) {
      library.update(booster);
    }
    double all = watch.millis();
    library.freeDataset(data);
    return new Times(all - prepared, all);
  }

  @Override
  public double testLoss() {
    Rows rows = task.test();
    double[] sums = new double[rows.size()];
    for (MemorySegment part : new MemorySegment[] {before, booster}) {
      library.predict(part, test.matrix, test.rows, test.width, parameters, testScores);
      for (int row = 0; row < sums.length; row++) {
        sums[row] += testScores.getAtIndex(ValueLayout.JAVA_DOUBLE, row);
      }
    }
    return MeanLoss.of(task.objective(), rows, sums);
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
