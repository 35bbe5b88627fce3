package io.holdfast.bench.streams;

import io.holdfast.bench.peer.LightGbm;
import io.holdfast.bench.peer.NativeRows;
import io.holdfast.boosting.data.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * LightGBM in micro-batches: after each window of labels, trained anew on that window alone, or
 * continued on it. Predicts as {@link Majority} does before the first window is full.
 */
final class LightGbmWindows implements StreamLearner {
  private final Rows rows;
  private final int classes;
  private final int outputs;
  private final int delay;
  private final int window;
  private final int rounds;
  private final boolean continued;
  private final Arena arena = Arena.ofConfined();
  private final LightGbm library;
  private final MemorySegment matrix;
  private final MemorySegment labels;
  private final MemorySegment scores; // row-major
  private final MemorySegment byOutput;
  private final List<MemorySegment> boosters = new ArrayList<>();
  private final Majority majority;
  private final double[] sums; // of the rows predicted ahead, row-major
  private int ahead; // the first of them
  private int aheadTo;
  private int firstUnlearned;

  /** Windows of so many rows and rounds each; if continued, trees of earlier windows stay. */
  LightGbmWindows(LabelledStream stream, int delay, int window, int rounds, boolean continued) {
    rows = stream.rows();
    this.delay = delay;
    classes = stream.classes();
    outputs = classes > 2 ? classes : 1;
    this.window = window;
    this.rounds = rounds;
    this.continued = continued;
    String parameters =
        objective(classes)
            + " num_leaves=31 learning_rate=0.1 min_data_in_leaf=20 num_threads=1 verbosity=-1"
            + " deterministic=true seed=1 "
            + LightGbm.categories(stream.features());
    library = new LightGbm(parameters, arena);
    matrix = arena.allocate(ValueLayout.JAVA_DOUBLE, (long) window * rows.width());
    labels = arena.allocate(ValueLayout.JAVA_FLOAT, window);
    scores = arena.allocate(ValueLayout.JAVA_DOUBLE, (long) window * outputs);
    byOutput = arena.allocate(ValueLayout.JAVA_DOUBLE, (long) window * outputs);
    majority = new Majority(stream);
    sums = new double[window * outputs];
  }

  private static String objective(int classes) {
    return switch (classes) {
      case 0 -> "objective=regression";
      case 2 -> "objective=binary";
      default -> "objective=multiclass num_class=" + classes;
    };
  }

  @Override
  public double predict(int row) {
    if (boosters.isEmpty()) {
      return majority.predict(row);
    }
    if (row >= aheadTo) { // until the window is full, nothing that is learned changes the trees
      int trained = firstUnlearned + window + delay; // the first row after the next training
      ahead = row;
      aheadTo = Math.min(rows.size(), Math.min(trained, row + window));
      score(ahead, aheadTo - ahead);
    }
    int at = (row - ahead) * outputs;
    if (classes == 0) {
      return sums[at];
    }
    if (outputs == 1) {
      return sums[at] > 0 ? 1 : 0;
    }
    int best = 0;
    for (int k = 1; k < outputs; k++) {
      best = sums[at + k] > sums[at + best] ? k : best;
    }
    return best;
  }

  /** Adds up what all boosters say of some rows, which stand in the matrix afterwards. */
  private void score(int from, int count) {
    for (int row = 0, at = 0; row < count; row++) {
      for (int column = 0; column < rows.width(); column++) {
        matrix.setAtIndex(ValueLayout.JAVA_DOUBLE, at++, rows.feature(from + row, column));
      }
    }
    int entries = count * outputs;
    Arrays.fill(sums, 0, entries, 0);
    for (MemorySegment booster : boosters) {
      library.predict(booster, new NativeRows(matrix, labels, count, rows.width()), scores);
      for (int k = 0; k < entries; k++) {
        sums[k] += scores.getAtIndex(ValueLayout.JAVA_DOUBLE, k);
      }
    }
  }

  @Override
  public void learn(int row) {
    majority.learn(row);
    if (row + 1 - firstUnlearned == window) {
      train(firstUnlearned);
      firstUnlearned = row + 1;
      aheadTo = 0;
    }
  }

  private void train(int from) {
    if (!continued) {
      free();
    }
    score(from, window);
    for (int row = 0; row < window; row++) {
      labels.setAtIndex(ValueLayout.JAVA_FLOAT, row, (float) rows.label(from + row));
      for (int k = 0; k < outputs; k++) {
        byOutput.setAtIndex(
            ValueLayout.JAVA_DOUBLE, (long) k * window + row, sums[row * outputs + k]);
      }
    }
    MemorySegment data =
        library.newDataset(
            new NativeRows(matrix, labels, window, rows.width()), MemorySegment.NULL);
    if (!boosters.isEmpty()) {
      library.setInitialScores(data, byOutput, window * outputs);
    }
    MemorySegment booster = library.newBooster(data);
    for (int round = 0; round < rounds; round++) {
      library.update(booster);
    }
    boosters.add(booster);
    library.freeDataset(data);
  }

  private void free() {
    boosters.forEach(library::freeBooster);
    boosters.clear();
  }

  @Override
  public void close() {
    free();
    arena.close();
  }
}
