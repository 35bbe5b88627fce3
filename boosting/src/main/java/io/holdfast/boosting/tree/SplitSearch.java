package io.holdfast.boosting.tree;

import io.holdfast.boosting.TreeLimits;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.numeric.IndexSort;

/** Finds the best split of a leaf from its histogram. Scratch is reused: not thread-safe. */
final class SplitSearch {
  /*
   * gain = ½ [G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ)] (docs/math.md, section 3).
   *
   * Numeric columns: every gap between bins that hold rows of this leaf is tried, with the missing
   * values right and then left, and last all that is present against all that is missing. In a gap
   * the threshold is the one just below the first bin right of it.
   *
   * Categorical columns: categories are put in order of G/H, each drawn towards the leaf's own G/H
   * as if SMOOTHING more hessian of it had been seen, so that rare categories stand in the middle.
   * Groups are taken from either end of that order, MAX_GROUP categories at most: with many
   * categories, large sets fit noise. The bit set of the split always holds the side away from the
   * missing values, so a category never seen in this leaf goes where the missing ones go.
   *
   * Where a leaf has no missing values of the column, later ones go to the child of more rows (left
   * if equal, for a numeric column).
   *
   * Ties: the first found wins, which is the lowest column, then the lowest threshold, then missing
   * right.
   */
  private static final double SMOOTHING = 10;
  private static final int MAX_GROUP = 32;
  private static final long[] NUMERIC = {};

  private final BinnedRows binned;
  private final TreeLimits limits;
  private final double lambda;
  private final int[] order;
  private final int[] scratch;
  private final double[] ratio;

  // The leaf being searched.
  private Histogram histogram;
  private Totals total;
  private double parentScore;

  // The column being searched.
  private double missingGradient;
  private double missingHessian;
  private int missingRows;

  // The best so far. Sums are those of the group that was tried: the left side unless flipped.
  private double bestGain;
  private int bestColumn;
  private int bestBin;
  private boolean bestMissingLeft;
  private long[] bestCategories;
  private double bestGradient;
  private double bestHessian;
  private int bestRows;
  private boolean bestFlipped;

  SplitSearch(BinnedRows binned, TreeLimits limits, double lambda) {
    this.binned = binned;
    this.limits = limits;
    this.lambda = lambda;
    int bins = 0;
    for (int column = 0; column < binned.columns(); column++) {
      if (binned.categorical(column)) {
        bins = Math.max(bins, binned.bins(column));
      }
    }
    order = new int[bins];
    scratch = new int[bins];
    ratio = new double[bins];
    histogram = new Histogram(0);
    total = Totals.ZERO;
    bestCategories = NUMERIC;
  }

  /** The best split whose gain exceeds the limit, or {@link Split#NONE}. */
  Split best(Histogram leafHistogram, Totals leafTotal) {
    histogram = leafHistogram;
    total = leafTotal;
    parentScore = score(total.gradient(), total.hessian());
    bestGain = limits.minGain();
    bestColumn = -1;
    for (int column = 0; column < binned.columns(); column++) {
      int missing = binned.firstCell(column) + binned.bins(column);
      missingGradient = histogram.sums[2 * missing];
      missingHessian = histogram.sums[2 * missing + 1];
      missingRows = histogram.counts[missing];
      if (missingRows == 0) { // what subtraction left of it is rounding
        missingGradient = 0;
        missingHessian = 0;
      }
      if (binned.categorical(column)) {
        searchCategories(column);
      } else {
        searchThresholds(column);
      }
    }
    return bestColumn < 0 ? Split.NONE : bestSplit();
  }

  private Split bestSplit() {
    Totals group = new Totals(bestGradient, bestHessian, bestRows);
    boolean numeric = bestCategories.length == 0;
    double threshold = 0;
    if (numeric) {
      threshold =
          bestBin < binned.bins(bestColumn) - 1
              ? binned.threshold(bestColumn, bestBin)
              : Double.POSITIVE_INFINITY;
    }
    return new Split(
        bestColumn,
        bestGain,
        threshold,
        bestBin,
        bestCategories,
        bestMissingLeft,
        bestFlipped ? total.minus(group) : group);
  }

  private void searchThresholds(int column) {
    int first = binned.firstCell(column);
    int bins = binned.bins(column);
    double[] sums = histogram.sums;
    double gradient = 0;
    double hessian = 0;
    int rows = 0;
    for (int bin = 0; bin < bins; bin++) {
      int count = histogram.counts[first + bin];
      if (count == 0) {
        continue;
      }
      if (rows > 0) {
        if (improves(gradient, hessian, rows)) {
          numericBest(column, bin - 1, missingRows == 0 && rows >= total.rows() - rows);
        }
        if (missingRows > 0
            && improves(gradient + missingGradient, hessian + missingHessian, rows + missingRows)) {
          numericBest(column, bin - 1, true);
        }
      }
      gradient += sums[2 * (first + bin)];
      hessian += sums[2 * (first + bin) + 1];
      rows += count;
    }
    if (rows > 0 && missingRows > 0 && improves(gradient, hessian, rows)) {
      numericBest(column, bins - 1, false);
    }
  }

  private void numericBest(int column, int lastLeftBin, boolean missingLeft) {
    bestColumn = column;
    bestBin = lastLeftBin;
    bestMissingLeft = missingLeft;
    bestCategories = NUMERIC;
    bestFlipped = false;
  }

  private void searchCategories(int column) {
    int first = binned.firstCell(column);
    int present = orderCategories(column);
    if (present == 0) {
      return;
    }
    int groupSize = 0; // of the best group found in this column; negative if from the high end
    int fromLow = Math.min(present - 1, MAX_GROUP);
    int fromHigh = Math.min(present - 1 - fromLow, MAX_GROUP);
    for (int end = 0; end < 2; end++) {
      double gradient = 0;
      double hessian = 0;
      int rows = 0;
      int largest = end == 0 ? fromLow : fromHigh;
      for (int size = 1; size <= largest; size++) {
        int cell = first + order[end == 0 ? size - 1 : present - size];
        gradient += histogram.sums[2 * cell];
        hessian += histogram.sums[2 * cell + 1];
        rows += histogram.counts[cell];
        if (improves(gradient, hessian, rows)) {
          groupSize = end == 0 ? size : -size;
          bestFlipped = missingRows == 0 && rows > total.rows() - rows;
        }
        if (missingRows > 0
            && improves(gradient + missingGradient, hessian + missingHessian, rows + missingRows)) {
          groupSize = end == 0 ? size : -size;
          bestFlipped = true;
        }
      }
    }
    Totals missing = new Totals(missingGradient, missingHessian, missingRows);
    Totals known = total.minus(missing);
    if (missingRows > 0 && improves(known.gradient(), known.hessian(), known.rows())) {
      groupSize = present;
      bestFlipped = false;
    }
    if (groupSize != 0) {
      bestColumn = column;
      bestBin = -1;
      bestMissingLeft = false;
      bestCategories = categorySet(column, present, groupSize);
    }
  }

  /** Puts the bins that hold rows into {@code order}; returns how many. */
  private int orderCategories(int column) {
    int first = binned.firstCell(column);
    int bins = binned.bins(column);
    double mean = total.hessian() > 0 ? total.gradient() / total.hessian() : 0;
    int present = 0;
    for (int bin = 0; bin < bins; bin++) {
      if (histogram.counts[first + bin] > 0) {
        double gradient = histogram.sums[2 * (first + bin)];
        double hessian = histogram.sums[2 * (first + bin) + 1];
        ratio[bin] = (gradient + SMOOTHING * mean) / (Math.max(hessian, 0) + SMOOTHING);
        order[present++] = bin;
      }
    }
    IndexSort.ascending(order, present, ratio, scratch);
    return present;
  }

  /** The codes that go left: the group, or if flipped the others that are present. */
  private long[] categorySet(int column, int present, int groupSize) {
    int from = groupSize > 0 ? 0 : present + groupSize;
    int to = groupSize > 0 ? groupSize : present;
    int highest = 0;
    for (int k = 0; k < present; k++) {
      if ((k >= from && k < to) != bestFlipped) {
        highest = Math.max(highest, binned.category(column, order[k]));
      }
    }
    long[] set = new long[(highest >> 6) + 1];
    for (int k = 0; k < present; k++) {
      if ((k >= from && k < to) != bestFlipped) {
        int code = binned.category(column, order[k]);
        set[code >> 6] |= 1L << code;
      }
    }
    return set;
  }

  /** Whether a group of rows against all others is allowed and better than the best so far. */
  private boolean improves(double gradient, double hessian, int rows) {
    int otherRows = total.rows() - rows;
    if (rows < limits.minRows() || otherRows < limits.minRows()) {
      return false;
    }
    double otherHessian = total.hessian() - hessian;
    if (!(hessian >= limits.minHessian() && otherHessian >= limits.minHessian())) {
      return false;
    }
    double gain =
        0.5
            * (score(gradient, hessian)
                + score(total.gradient() - gradient, otherHessian)
                - parentScore);
    if (!(gain > bestGain)) {
      return false;
    }
    bestGain = gain;
    bestGradient = gradient;
    bestHessian = hessian;
    bestRows = rows;
    return true;
  }

  private double score(double gradient, double hessian) {
    double curvature = hessian + lambda;
    return curvature > 0 ? gradient * gradient / curvature : 0;
  }
}
