package io.holdfast.boosting.tree;

import io.holdfast.boosting.numeric.Check;

/**
 * What a tree's structure is learned from; its leaf values are always learned from all rows.
 * Immutable.
 *
 * @param rows the share of the rows that each round draws, by their place: rows in another order
 *     are another draw; above 0 and at most 1
 * @param features the share of the features that each tree may look at, above 0 and at most 1; one
 *     at least is drawn
 */
public record Sampling(double rows, double features) {
  /** Everything. */
  public static final Sampling ALL = new Sampling(1, 1);

  /** A share of the rows, and all features. */
  public static Sampling ofRows(double share) {
    return new Sampling(share, 1);
  }

  /** A share of the features, and all rows. */
  public static Sampling ofFeatures(double share) {
    return new Sampling(1, share);
  }

  public Sampling {
    Check.that(rows > 0 && rows <= 1, "sampling.rows must be above 0 and at most 1: %s", rows);
    Check.that(
        features > 0 && features <= 1,
        "sampling.features must be above 0 and at most 1: %s",
        features);
  }
}
