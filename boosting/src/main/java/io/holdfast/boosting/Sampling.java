package io.holdfast.boosting;

/**
 * What a tree's structure is learned from; its leaf values are always learned from all rows.
 *
 * @param rows the share of the rows that each round draws, above 0 and at most 1
 * @param features the share of the features that each tree may look at, above 0 and at most 1; one
 *     at least is drawn
 */
public record Sampling(double rows, double features) {
  /** Everything. */
  public static final Sampling ALL = new Sampling(1, 1);

  public Sampling {
    Check.that(rows > 0 && rows <= 1, "sampling.rows must be above 0 and at most 1: %s", rows);
    Check.that(
        features > 0 && features <= 1,
        "sampling.features must be above 0 and at most 1: %s",
        features);
  }
}
