package io.holdfast.bench.defaults;

/** A booster by its defaults. */
interface Learner {
  /** Rounds without early stopping, of all three by default. */
  int ROUNDS = 100;

  /** Rounds with it, at most. */
  int MOST_ROUNDS = 1_000;

  /** Rounds without improvement that end training, of {@code fit} by default. */
  int PATIENCE = 20;

  /** Raw scores of the test rows, output by output; if stopping, validation rows say when. */
  double[] scores(Problem problem, boolean stopping) throws Exception;
}
