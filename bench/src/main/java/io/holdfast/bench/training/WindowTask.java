package io.holdfast.bench.training;

import io.holdfast.bench.data.GeneratedRows;
import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.objective.Objective;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/**
 * A window of rows to be learned by trees that are added to an ensemble.
 *
 * @param binary whether labels are 0 and 1, or real
 * @param before the rows that the ensemble learns from
 * @param window the rows of this window
 * @param test rows for a loss
 * @param ensemble trees there are before
 * @param threads that train
 */
record WindowTask(boolean binary, Rows before, Rows window, Rows test, int ensemble, int threads) {
  static final double LEARNING_RATE = 0.1;
  static final int LEAVES = 31;
  static final int MAX_BINS = 255;
  static final int MIN_ROWS = 20;
  static final double MIN_HESSIAN = 1e-3;

  /** Trees that are added. */
  static final int ROUNDS = 20;

  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final int ENVIRONMENTS = 12;

  /** One of many of the same kind, told apart by their number. */
  static WindowTask of(
      boolean binary, int rows, int width, int ensemble, int threads, long number) {
    return new WindowTask(
        binary,
        GeneratedRows.of(10_000, width, ENVIRONMENTS, binary, 3 * number + 3),
        GeneratedRows.of(rows, width, ENVIRONMENTS, binary, 3 * number + 1),
        GeneratedRows.of(50_000, width, ENVIRONMENTS, binary, 3 * number + 2),
        ensemble,
        threads);
  }

  Objective objective() {
    return Objective.named(binary ? "logistic" : "squared");
  }

  /** As many rows as the window has, of the same kind. */
  Rows earlier() {
    return GeneratedRows.of(window.size(), window.width(), ENVIRONMENTS, binary, -1);
  }

  List<Feature> features() {
    return GeneratedRows.features(window.width());
  }

  /**
   * The time in milliseconds: the processor's for this thread, which other programs change little;
   * with several threads the wall's.
   */
  double millis() {
    return (threads > 1 ? System.nanoTime() : CPU.getCurrentThreadCpuTime()) / 1e6;
  }
}
