package io.holdfast.boosting.model;

import io.holdfast.boosting.numeric.Check;
import java.util.List;

/**
 * Trees that were appended together, and the weight they count with. Immutable.
 *
 * @param decay what the leaf values are multiplied by; finite, 1 as trained
 */
public record Segment(List<Tree> trees, double decay) {
  public Segment {
    Check.that(Double.isFinite(decay), "decay of a segment must be finite: %s", decay);
    trees = List.copyOf(trees);
  }

  /** Trees as they were trained: their decay is 1. */
  public Segment(List<Tree> trees) {
    this(trees, 1);
  }
}
