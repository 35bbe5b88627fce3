package io.holdfast.boosting.objective;

import io.holdfast.boosting.data.Rows;
import io.holdfast.boosting.numeric.WeightedQuantile;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Weighted statistics of the labels of at least one row. Stateless. */
final class LabelSummary {
  // Parts of a smaller sum of weights might not be normal numbers; a power of two keeps their bits.
  private static final double TINY = 1e-200;
  private static final double ENLARGED = 0x1p400;

  private LabelSummary() {}

  static double mean(Rows rows) {
    double sum = 0;
    double weight = 0;
    for (int row = 0; row < rows.size(); row++) {
      sum += rows.weight(row) * rows.label(row);
      weight += rows.weight(row);
    }
    return sum / weight;
  }

  static boolean allAre(double label, Rows rows) {
    return IntStream.range(0, rows.size()).allMatch(row -> rows.label(row) == label);
  }

  /** How many classes have a row. */
  static int classesIn(Rows rows, int classes) {
    BitSet seen = new BitSet(classes);
    for (int row = 0; row < rows.size() && seen.cardinality() < classes; row++) {
      seen.set((int) rows.label(row));
    }
    return seen.cardinality();
  }

  static double quantile(Rows rows, double alpha) {
    int n = rows.size();
    int[] members = new int[n];
    double[] labels = new double[n];
    double[] weights = new double[n];
    Arrays.setAll(members, row -> row);
    Arrays.setAll(labels, rows::label);
    Arrays.setAll(weights, rows::weight);
    return WeightedQuantile.of(members, n, labels, weights, alpha, new int[n]);
  }

  /**
   * The weight of each class, all above 0: a class without rows counts as half a row of average
   * weight, taken from the others in proportion, which keeps initial scores finite. Only what share
   * of all a class has matters.
   */
  static double[] classWeights(Rows rows, int classes) {
    double[] weights = new double[classes];
    double total = 0;
    for (int row = 0; row < rows.size(); row++) {
      weights[(int) rows.label(row)] += rows.weight(row);
      total += rows.weight(row);
    }
    double scale = total < TINY ? ENLARGED : 1;
    total *= scale;
    int missing = 0;
    for (int k = 0; k < classes; k++) {
      weights[k] *= scale;
      missing += weights[k] == 0 ? 1 : 0;
    }
    double halfRow = 0.5 * total / rows.size();
    // Never more than half of all the weight, however many classes are missing.
    double share = missing == 0 ? 0 : Math.min(halfRow, 0.5 * total / missing);
    for (int k = 0; k < classes; k++) {
      weights[k] = weights[k] == 0 ? share : weights[k] * (1 - missing * share / total);
    }
    return weights;
  }
}
