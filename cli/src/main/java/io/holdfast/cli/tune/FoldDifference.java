package io.holdfast.cli.tune;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How much more settings lose than others, fold by fold: the mean, and an interval of it. Of
 * several settings that are compared with the same, all intervals hold together: each has its share
 * of what may be wrong (Bonferroni).
 *
 * @param low of the interval; −∞ if there are too few folds to tell
 */
record FoldDifference(double mean, double low, double high) {
  /** How often all intervals together hold. */
  static final double LEVEL = 0.95;

  /** By Student's t, which takes the folds' differences for independent draws. */
  static FoldDifference of(List<Double> folds, List<Double> others, int compared) {
    double[] differences =
        IntStream.range(0, folds.size()).mapToDouble(k -> folds.get(k) - others.get(k)).toArray();
    int count = differences.length;
    double mean = IntStream.range(0, count).mapToDouble(k -> differences[k]).sum() / count;
    if (count < 2 || !Double.isFinite(mean)) {
      return new FoldDifference(mean, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double squares = 0;
    for (double difference : differences) {
      squares += (difference - mean) * (difference - mean);
    }
    double error = Math.sqrt(squares / (count - 1) / count);
    double half = error * quantile(count - 1, 1 - (1 - LEVEL) / Math.max(1, compared));
    return new FoldDifference(mean, mean - half, mean + half);
  }

  /** What the absolute value of Student's t of so many degrees of freedom is below so often. */
  static double quantile(int degrees, double share) {
    double low = 0;
    double high = Math.PI / 2; // of the angle whose tangent is t over the root of degrees
    for (int k = 0; k < 60; k++) {
      double angle = (low + high) / 2;
      if (within(degrees, angle) < share) {
        low = angle;
      } else {
        high = angle;
      }
    }
    return Math.sqrt(degrees) * Math.tan(low);
  }

  /** P(|t| below √degrees · tan(angle)); Abramowitz and Stegun 26.7.3 and 26.7.4. */
  private static double within(int degrees, double angle) {
    double square = Math.cos(angle) * Math.cos(angle);
    double sum = 0;
    if (degrees % 2 == 0) {
      double term = 1;
      for (int k = 0; k < degrees; k += 2) {
        sum += term;
        term *= square * (k + 1) / (k + 2);
      }
      return Math.sin(angle) * sum;
    }
    double term = Math.cos(angle);
    for (int k = 1; k < degrees; k += 2) {
      sum += term;
      term *= square * (k + 1) / (k + 2);
    }
    return 2 / Math.PI * (angle + Math.sin(angle) * sum);
  }
}
