package io.holdfast.boosting.uncertainty;

import java.util.Arrays;

/**
 * How errors are distributed: weights in bins that part each octave of either sign in 16. Owned by
 * one thread.
 */
final class ErrorSketch {
  private static final int PARTS = 16; // of an octave
  private static final int OCTAVES = 30; // on either side of 1
  private static final int SIDE = 2 * OCTAVES * PARTS;

  private final double[] weights = new double[2 * SIDE + 1];
  private double mass;

  /** Adds a value, which may not be NaN. */
  void add(double value, double weight) {
    weights[bin(value)] += weight;
    mass += weight;
  }

  /** Adds all of another, times a factor. */
  void addAll(ErrorSketch other, double factor) {
    for (int k = 0; k < weights.length; k++) {
      weights[k] += factor * other.weights[k];
    }
    mass += factor * other.mass;
  }

  void multiply(double factor) {
    Arrays.setAll(weights, k -> factor * weights[k]);
    mass *= factor;
  }

  double mass() {
    return mass;
  }

  /**
   * The value with that share of the weight below it: between 0 and 1, and the ends of what was
   * seen beyond. Within a bin the weight is taken to be spread evenly.
   */
  double quantile(double share) {
    double wanted = Math.clamp(share, 0, 1) * mass;
    double below = 0;
    int last = -1;
    for (int k = 0; k < weights.length; k++) {
      if (weights[k] > 0) {
        last = k;
        if (below + weights[k] >= wanted) {
          double inside = Math.clamp((wanted - below) / weights[k], 0, 1);
          return edge(k) + inside * (edge(k + 1) - edge(k));
        }
        below += weights[k];
      }
    }
    return last < 0 ? 0 : edge(last + 1);
  }

  private static int bin(double value) {
    double size = Math.abs(value);
    int octave = Math.getExponent(size);
    if (octave < -OCTAVES) {
      return SIDE;
    }
    int part =
        octave >= OCTAVES
            ? SIDE
            : 1 + (octave + OCTAVES) * PARTS + (int) ((Math.scalb(size, -octave) - 1) * PARTS);
    return value < 0 ? SIDE - part : SIDE + part;
  }

  /** The lower end of a bin. */
  private static double edge(int bin) {
    int part = bin > SIDE ? bin - SIDE - 1 : SIDE - bin;
    double size =
        Math.scalb(1 + part % PARTS / (double) PARTS, Math.floorDiv(part, PARTS) - OCTAVES);
    return bin > SIDE ? size : -size;
  }
}
