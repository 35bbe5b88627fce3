package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.Totals;

/**
 * The enumeration of {@link SplitSearch} for a numeric column and a {@link ScalarGain} without
 * bounds or direction. Not thread-safe.
 */
final class ThresholdSearch {
  /*
   * The twin of SplitSearch.searchThresholds for the case that nearly all training is: sums stay in
   * locals, and nothing is called through a type. Growing a tree on 1,000 rows of 30 columns takes
   * 0.6 of the time; the results are equal to the last bit, which a test holds.
   */
  private final ScalarGain gains;
  private final int minRows;
  private final double minHessian;
  private double bestGain;
  private int bestBin;
  private boolean bestMissingLeft;
  private double bestGradient;
  private double bestHessian;
  private int bestRows;

  ThresholdSearch(ScalarGain gains, TreeLimits limits) {
    this.gains = gains;
    minRows = limits.minRows();
    minHessian = limits.minHessian();
  }

  /** Whether a split of this column of {@code bins} bins gains more than {@code leastGain}. */
  boolean search(ColumnCells cells, int bins, Totals total, double leastGain) {
    bestGain = leastGain;
    bestBin = -1;
    double[] sums = cells.sums;
    int[] counts = cells.counts;
    int allRows = total.rows();
    double allHessian = total.sums()[1];
    int missingRows = counts[bins];
    double missingGradient = sums[2 * bins];
    double missingHessian = sums[2 * bins + 1];
    double gradient = 0;
    double hessian = 0;
    int rows = 0;
    for (int bin = 0; bin < bins; bin++) {
      int count = counts[bin];
      if (count == 0) {
        continue;
      }
      if (rows > 0) {
        improve(gradient, hessian, rows, allHessian, allRows, bin - 1, false);
        if (missingRows > 0) {
          improve(
              gradient + missingGradient,
              hessian + missingHessian,
              rows + missingRows,
              allHessian,
              allRows,
              bin - 1,
              true);
        }
      }
      gradient += sums[2 * bin];
      hessian += sums[2 * bin + 1];
      rows += count;
    }
    if (rows > 0 && missingRows > 0) {
      improve(gradient, hessian, rows, allHessian, allRows, bins - 1, false);
    }
    if (missingRows == 0) {
      bestMissingLeft = bestRows >= allRows - bestRows;
    }
    return bestBin >= 0;
  }

  double gain() {
    return bestGain;
  }

  int lastLeftBin() {
    return bestBin;
  }

  boolean missingLeft() {
    return bestMissingLeft;
  }

  int rows() {
    return bestRows;
  }

  /** Writes the channel sums of what goes left. */
  void copySums(double[] target) {
    target[0] = bestGradient;
    target[1] = bestHessian;
  }

  private void improve(
      double gradient,
      double hessian,
      int rows,
      double allHessian,
      int allRows,
      int bin,
      boolean missingLeft) {
    if (rows < minRows
        || allRows - rows < minRows
        || !(hessian >= minHessian && allHessian - hessian >= minHessian)) {
      return;
    }
    double gain = gains.gain(gradient, hessian);
    if (gain > bestGain && gain < Double.POSITIVE_INFINITY) {
      bestGain = gain;
      bestGradient = gradient;
      bestHessian = hessian;
      bestRows = rows;
      bestBin = bin;
      bestMissingLeft = missingLeft;
    }
  }
}
