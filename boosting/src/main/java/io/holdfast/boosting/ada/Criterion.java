package io.holdfast.boosting.ada;

/** What a split is chosen by. */
public enum Criterion {
  /** The least weighted Gini impurity of the two sides; for trees of any depth. */
  GINI,

  /**
   * The least weight of rows on the two sides that are not of their side's heaviest class; for
   * stumps.
   */
  ERROR
}
