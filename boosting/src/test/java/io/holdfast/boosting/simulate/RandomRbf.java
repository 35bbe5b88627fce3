package io.holdfast.boosting.simulate;

import io.holdfast.boosting.data.Feature;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Clouds of rows around centres in the unit cube, a class each, all of which may travel at one
 * speed and turn back at the walls. The generator of moving radial basis functions that Bifet et
 * al., "MOA: Massive Online Analysis", JMLR 11, 2010, made common.
 */
final class RandomRbf implements Concept {
  private final int classes;
  private final double speed;
  private final double[][] centres;
  private final double[][] directions;
  private final double[] deviations;
  private final double[] weightsUpTo;
  private final int[] labels;

  /** Centres drawn from {@code random}; {@code speed} is the way that each goes a row. */
  RandomRbf(int centres, int columns, int classes, double speed, SplittableRandom random) {
    this.classes = classes;
    this.speed = speed;
    this.centres = new double[centres][columns];
    directions = new double[centres][columns];
    deviations = new double[centres];
    weightsUpTo = new double[centres];
    labels = new int[centres];
    double weight = 0;
    for (int c = 0; c < centres; c++) {
      double squares = 0;
      for (int k = 0; k < columns; k++) {
        this.centres[c][k] = random.nextDouble();
        directions[c][k] = random.nextDouble();
        squares += directions[c][k] * directions[c][k];
      }
      for (int k = 0; k < columns; k++) {
        directions[c][k] /= Math.sqrt(squares);
      }
      deviations[c] = random.nextDouble();
      labels[c] = random.nextInt(classes);
      weight += random.nextDouble();
      weightsUpTo[c] = weight;
    }
  }

  @Override
  public List<Feature> features() {
    return Columns.numeric(centres[0].length);
  }

  @Override
  public int classes() {
    return classes;
  }

  @Override
  public int draw(SplittableRandom random, double[] features) {
    move();
    double chosen = random.nextDouble() * weightsUpTo[weightsUpTo.length - 1];
    int centre = 0;
    while (weightsUpTo[centre] <= chosen) {
      centre++;
    }
    double squares = 0;
    for (int k = 0; k < features.length; k++) {
      features[k] = 2 * random.nextDouble() - 1;
      squares += features[k] * features[k];
    }
    double scale = random.nextGaussian() * deviations[centre] / Math.sqrt(squares);
    for (int k = 0; k < features.length; k++) {
      features[k] = centres[centre][k] + scale * features[k];
    }
    return labels[centre];
  }

  private void move() {
    if (speed == 0) {
      return;
    }
    for (int c = 0; c < centres.length; c++) {
      double[] centre = centres[c];
      for (int k = 0; k < centre.length; k++) {
        double moved = centre[k] + speed * directions[c][k];
        if (moved < 0 || moved > 1) {
          moved = Math.clamp(moved, 0.0, 1.0);
          directions[c][k] = -directions[c][k];
        }
        centre[k] = moved;
      }
    }
  }
}
