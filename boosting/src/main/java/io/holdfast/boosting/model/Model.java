package io.holdfast.boosting.model;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.objective.Objective;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a scorer needs: features, objective, the constant base and the trees. Immutable.
 *
 * <p>The raw score of a row is the base plus, in order, {@code decay * leaf value} of each tree,
 * added one after the other in double arithmetic: that order defines the score's bits.
 */
public record Model(
    Objective objective, List<Feature> features, double base, List<Segment> segments) {
  public Model {
    features = List.copyOf(features);
    segments = List.copyOf(segments);
  }

  /** How many trees all segments hold. */
  public int trees() {
    int trees = 0;
    for (Segment segment : segments) {
      trees += segment.trees().size();
    }
    return trees;
  }

  /** This model with one more segment. */
  public Model plus(Segment segment) {
    List<Segment> longer = new ArrayList<>(segments);
    longer.add(segment);
    return new Model(objective, features, base, longer);
  }
}
