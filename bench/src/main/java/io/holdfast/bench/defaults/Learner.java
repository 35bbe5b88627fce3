package io.holdfast.bench.defaults;

/** A booster by its defaults. */
interface Learner {
  /** Rounds without early stopping, of all three by default. */
  int ROUNDS = 100;

  /** Rounds with it, at most. */
  int MOST_ROUNDS = 1_000;

  /** Rounds without improvement that end training, of {@code fit} by default. */
  int PATIENCE = 20;

  /**
   * The raw scores of the rows to test on, output by output.
   *
   * @param stopping whether validation rows tell when to stop
   */
  double[] scores(Problem problem, boolean stopping) throws Exception;
}
