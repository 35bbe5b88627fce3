package io.holdfast.boosting.explain;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.explain.Importance.Entry;
import io.holdfast.boosting.explain.Importance.Measure;
import io.holdfast.boosting.numeric.Check;
import java.util.ArrayList;
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

  /**
   * Adds a row.
   *
   * @param contributions as {@link Explainer#contributions} writes them
   * @param weight above 0
   */
  public void add(double[] contributions, double weight) {
    for (int k = 0; k < contributions.length; k++) {
      sizes[k % sizes.length] += weight * Math.abs(contributions[k]);
    }
    weights += weight;
  }

  /** Adds a row of weight 1. */
  public void add(List<Explanation> explanations) {
    for (Explanation explanation : explanations) {
      for (int column = 0; column < sizes.length; column++) {
        sizes[column] += Math.abs(explanation.contributions().get(column).amount());
      }
    }
    weights++;
  }

  /**
   * The weighted mean size of each feature's contributions, summed over raw scores.
   *
   * @throws IllegalArgumentException if there was no row
   */
  public Importance importance() {
    Check.that(weights > 0, "there must be at least 1 row to explain: %s", 0);
    List<Entry> entries = new ArrayList<>();
    for (int column = 0; column < sizes.length; column++) {
      entries.add(new Entry(features.get(column).name(), sizes[column] / weights));
    }
    return new Importance(Measure.CONTRIBUTION, entries);
  }
}
