package io.holdfast.bench.training;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.util.List;

/**
 * What is to be learned: a window of rows, by trees that are added to an ensemble which has learned
 * from an earlier one.
 *
 * @param binary whether labels are 0 and 1, or real
 * @param before the rows of the earlier window
 * @param window the rows of this one
 * @param test rows for a loss
 * @param leaves a tree has at most
 * @param rounds trees that are added
 * @param ensemble trees there are before
 * @param threads that train
 */
record Task(
    boolean binary,
    Rows before,
    Rows window,
    Rows test,
    int leaves,
    int rounds,
    int ensemble,
    int threads) {
  static final double LEARNING_RATE = 0.1;
  static final int MAX_BINS = 255;
  static final int MIN_ROWS = 20;
  static final double MIN_HESSIAN = 1e-3;

  private static final int ENVIRONMENTS = 12;
  private static final int ROWS_BEFORE = 10_000;
  private static final int TEST_ROWS = 50_000;
  private static final long EARLIER_SEED = -1;

  static Task of(boolean binary, int rows, int width, int ensemble, int threads) {
    return of(binary, rows, width, ensemble, threads, 0);
  }

  /** One of many of the same kind. */
  static Task of(boolean binary, int rows, int width, int ensemble, int threads, long number) {
    return new Task(
        binary,
        GeneratedRows.of(ROWS_BEFORE, width, ENVIRONMENTS, binary, 3 * number + 3),
        GeneratedRows.of(rows, width, ENVIRONMENTS, binary, 3 * number + 1),
        GeneratedRows.of(TEST_ROWS, width, ENVIRONMENTS, binary, 3 * number + 2),
        31,
        20,
        ensemble,
        threads);
  }

  Objective objective() {
    return Objective.named(binary ? "logistic" : "squared");
  }

  /** As many rows as the window has, of the same kind. */
  Rows earlier() {
    return GeneratedRows.of(window.size(), width(), ENVIRONMENTS, binary, EARLIER_SEED);
  }

  int width() {
    return window.width();
  }

  List<Feature> features() {
    return GeneratedRows.features(width());
  }
}
