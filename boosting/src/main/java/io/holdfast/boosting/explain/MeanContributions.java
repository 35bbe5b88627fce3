package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.Importance.Measure;
import io.holdfast.boosting.numeric.Check;
import java.util.List;

/** Collects the contributions of rows, as they come, to an importance. Owned by one thread. */
public final class MeanContributions {
  private final List<Feature> features;
  private final double[] sizes;
  private double weights;

  /** For the rows of one model. */
  public MeanContributions(List<Feature> features) {
    this.features = List.copyOf(features);
    sizes = new double[features.size()];
  }

  /** Adds a row of a weight above 0. */
  public void add(List<Explanation> explanations, double weight) {
    for (Explanation explanation : explanations) {
      for (int column = 0; column < sizes.length; column++) {
        sizes[column] += weight * Math.abs(explanation.contributions().get(column).amount());
      }
    }
    weights += weight;
  }

  /**
   * The weighted mean size of each feature's contributions, summed over raw scores.
   *
   * @throws IllegalArgumentException if there was no row
   */
  public Importance importance() {
    Check.that(weights > 0, "there must be at least 1 row to explain: %s", 0);
    return Importance.of(Measure.CONTRIBUTION, features, size -> sizes[size] / weights);
  }
}
