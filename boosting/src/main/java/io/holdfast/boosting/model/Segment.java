package io.holdfast.boosting.model;

import java.util.List;

/**
 * Trees that were appended together, and the weight they count with. Immutable.
 *
 * @param decay what the leaf values are multiplied by; 1 as trained
 */
public record Segment(List<Tree> trees, double decay) {
  public Segment {
    trees = List.copyOf(trees);
  }

  public Segment(List<Tree> trees) {
    this(trees, 1);
  }
}
