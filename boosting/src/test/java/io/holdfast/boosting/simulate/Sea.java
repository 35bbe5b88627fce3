package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import io.holdfast.boosting.numeric.Check;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Three features from 0 to 10, of which the sum of the first two decides: class 0 up to a
 * threshold, 1 above it. A tenth of the labels are wrong. Street and Kim, "A streaming ensemble
 * algorithm (SEA) for large-scale classification", KDD 2001.
 */
final class Sea implements Concept {
  private static final double[] THRESHOLDS = {8, 9, 7, 9.5};
  private static final double NOISE = 0.1;

  private final double threshold;

  /** One of the paper's four concepts, from 1. */
  Sea(int concept) {
    Check.that(
        concept >= 1 && concept <= THRESHOLDS.length, "SEA has concepts 1 to 4: %s", concept);
    threshold = THRESHOLDS[concept - 1];
  }

  @Override
  public List<Feature> features() {
    return Columns.numeric(3);
  }

  @Override
  public int classes() {
    return 2;
  }

  @Override
  public int draw(SplittableRandom random, double[] features) {
    for (int k = 0; k < 3; k++) {
      features[k] = 10 * random.nextDouble();
    }
    int label = features[0] + features[1] <= threshold ? 0 : 1;
    return random.nextDouble() < NOISE ? 1 - label : label;
  }
}
