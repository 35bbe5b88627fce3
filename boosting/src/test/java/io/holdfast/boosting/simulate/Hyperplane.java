package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which side of a hyperplane through the unit cube's middle a row lies on. The plane turns with
 * every row, a weight now and then the other way; one label in twenty is wrong. Hulten, Spencer and
 * Domingos, "Mining time-changing data streams", KDD 2001.
 */
final class Hyperplane implements Concept {
  private static final double NOISE = 0.05;
  private static final double TURN_BACK = 0.1;

  private final double[] weights;
  private final double[] steps;

  /** All weights drift by {@code change} a row. */
  Hyperplane(int columns, double change, SplittableRandom random) {
    weights = new double[columns];
    steps = new double[columns];
    for (int k = 0; k < columns; k++) {
      weights[k] = random.nextDouble();
      steps[k] = change;
    }
  }

  @Override
  public List<Feature> features() {
    return Columns.numeric(weights.length);
  }

  @Override
  public int classes() {
    return 2;
  }

  @Override
  public int draw(SplittableRandom random, double[] features) {
    double side = 0;
    for (int k = 0; k < weights.length; k++) {
      features[k] = random.nextDouble();
      side += weights[k] * (features[k] - 0.5);
    }
    int label = side >= 0 ? 1 : 0;
    if (random.nextDouble() < NOISE) {
      label = 1 - label;
    }
    turn(random);
    return label;
  }

  private void turn(SplittableRandom random) {
    for (int k = 0; k < weights.length; k++) {
      weights[k] += steps[k];
      if (steps[k] != 0 && random.nextDouble() < TURN_BACK) {
        steps[k] = -steps[k];
      }
    }
  }
}
