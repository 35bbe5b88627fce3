package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Channels.ColumnCells;
import io.holdfast.boosting.histogram.Totals;

/**
 * What {@link SplitSearch} does for a numeric column and a {@link ScalarGain} without bounds or
 * direction, faster and to the same bits: sums are locals, and no call is virtual.
 */
final class ThresholdSearch {
  private final ScalarGain gains;
  private final int minRows;
  private final double minHessian;
  private int allRows;
  private double allHessian;
  double bestGain;
  int bestBin;
  boolean bestMissingLeft;
  double bestGradient;
  double bestHessian;
  int bestRows;

  ThresholdSearch(ScalarGain gains, TreeLimits limits) {
    this.gains = gains;
    minRows = limits.minRows();
    minHessian = limits.minHessian();
  }

  /** Whether a split of this column of {@code bins} bins gains more than {@code leastGain}. */
  boolean search(ColumnCells cells, int bins, Totals total, double leastGain) {
    bestGain = leastGain;
    bestBin = -1;
    allRows = total.rows();
    allHessian = total.sums()[1];
    double[] sums = cells.sums;
    int missingRows = cells.counts[bins];
    double missingGradient = sums[2 * bins];
    double missingHessian = sums[2 * bins + 1];
    double gradient = 0;
    double hessian = 0;
    int rows = 0;
    for (int bin = 0; bin < bins; bin++) {
      int count = cells.counts[bin];
      if (count == 0) {
        continue;
      }
      if (rows > 0) {
        improve(gradient, hessian, rows, bin - 1, false);
        if (missingRows > 0) {
          double withMissing = gradient + missingGradient;
          improve(withMissing, hessian + missingHessian, rows + missingRows, bin - 1, true);
        }
      }
      gradient += sums[2 * bin];
      hessian += sums[2 * bin + 1];
      rows += count;
    }
    if (rows > 0 && missingRows > 0) {
      improve(gradient, hessian, rows, bins - 1, false);
    }
    if (missingRows == 0) {
      bestMissingLeft = bestRows >= allRows - bestRows;
    }
    return bestBin >= 0;
  }

  private void improve(double gradient, double hessian, int rows, int bin, boolean missingLeft) {
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
