package io.holdfast.boosting;

/**
 * What a round appends for an objective of K raw scores; with one raw score they are the same.
 *
 * <p>Stopped at their best, vector leaves lose less, with fewer trees; after as many rounds, trees
 * by class have learned more, with K times as many (docs/benchmarks.md, "Choices of defaults").
 */
public enum MulticlassTrees {
  /** K trees, each of which adds to the raw score of its class. */
  PER_CLASS,
  /** One tree whose leaves hold K values; the default. */
  VECTOR
}
