package io.holdfast.bench.training;

/** Someone who trains a {@link Task}, again and again. Holds what a run needs; to be closed. */
interface Contender extends AutoCloseable {
  /**
   * What one run took.
   *
   * @param boosting growing trees, with their leaf values and the scores they lead to
   * @param window all of it: scores of the ensemble there was, binning, and boosting
   */
  record Times(double boosting, double window) {}

  String name();

  /** Trains the window. */
  Times run();

  /** The mean loss on the test rows of what the last run has led to. */
  double testLoss();

  @Override
  void close();
}
