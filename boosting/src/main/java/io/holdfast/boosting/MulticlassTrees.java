package io.holdfast.boosting;

/** What a round appends for an objective of K raw scores; with one raw score they are the same. */
public enum MulticlassTrees {
  /** K trees, each of which adds to the raw score of its class. */
  PER_CLASS,
  /** One tree whose leaves hold K values. */
  VECTOR
}
