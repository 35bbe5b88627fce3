package io.holdfast.bench.streams;

/**
 * A learner on one stream. Owned by one thread.
 *
 * <p>It may read a row's features once it is asked to predict it, and its label once it is told to
 * learn it. Whoever predicts ahead does so for rows that cannot be predicted differently later.
 */
interface StreamLearner extends AutoCloseable {

  /** The class, or the number, predicted for a row; rows are asked for in order, each once. */
  double predict(int row);

  /** Takes a row's label; in order, each once, after its prediction. */
  void learn(int row);

  @Override
  default void close() {}
}
