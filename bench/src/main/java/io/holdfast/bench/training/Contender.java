package io.holdfast.bench.training;

/** Someone who trains a {@link WindowTask}, again and again. Holds native memory. */
interface Contender extends AutoCloseable {
  /**
   * What one run took, in milliseconds.
   *
   * @param boosting growing trees, with their leaf values and the scores they lead to
   * @param window all of it: scores of the ensemble there was, binning, and boosting
   */
  record Times(double boosting, double window) {}

  /** Trains the window. */
  Times run();

  /** The mean loss on the test rows after the last run. */
  double testLoss();

  @Override
  default void close() {}
}
