package io.holdfast.bench.scoring;

/** One way to score the rows of a {@link TestBench}. Used by one thread. */
interface BlockScorer {
  /** Scores rows {@code [from, from + rows)}; returns the last one's raw score. */
  double score(int from, int rows);
}
