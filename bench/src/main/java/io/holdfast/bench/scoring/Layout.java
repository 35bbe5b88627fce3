package io.holdfast.bench.scoring;

/**
 * One way to lay an ensemble out and score rows with it, to be measured against the others. Every
 * one gives the plain walk's bits. Used by one thread.
 */
interface Layout {
  /** The raw score of a row. */
  double score(double[] row);

  /**
   * Scores rows {@code [from, from + rows)} of a bench, one by one unless a layout knows better.
   */
  default Contender on(TestBench bench) {
    return (from, rows) -> {
      double last = 0;
      for (int row = from; row < from + rows; row++) {
        last = score(bench.single[row]);
      }
      return last;
    };
  }
}
