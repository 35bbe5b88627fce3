package io.holdfast.boosting.ada;

import io.holdfast.boosting.ada.Learner.Structure;
import io.holdfast.boosting.data.BinColumn;
import io.holdfast.boosting.data.BinnedRows;
import io.holdfast.boosting.data.CategoryGroups;
import io.holdfast.boosting.model.Tree;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the stump of least weighted error. Scratch is reused: owned by one thread. */
final class StumpSearch implements Learner {
  /*
   * The error of a split is the weight of all rows less that of each side's heaviest class.
   *
   * Numeric columns: every gap between bins that hold rows is tried, with the missing values right
   * and then left, and last all that is present against all that is missing.
   *
   * Categorical columns: for each pair of classes, categories (the missing values being one) go to
   * the side of the class that has more weight in them: as each side votes for one class, no other
   * set has less error. The bit set holds the side away from the missing values, so that a category
   * never seen goes where those go: without any, to the side of more rows (left if equal).
   *
   * A split is better only if its error is less by more than rounding, so ties go to what is tried
   * first. A column that varies always gives a split, even if both sides vote alike.
   */
  private final BinnedRows binned;
  private final int[] labels;
  private final int classes;
  private final int minRows;

  // The column being searched: what is in each bin, the missing one last, and in all.
  private double[] masses = new double[0];
  private int[] counts = new int[0];
  private final double[] total;
  private final double[] left;
  private int totalRows;

  // The best so far.
  private double bestError;
  private int bestColumn;
  private int bestBin;
  private boolean bestMissingLeft;
  private boolean[] bestLeftBins = new boolean[0];

  StumpSearch(BinnedRows binned, int[] labels, int classes, int minRows) {
    this.binned = binned;
    this.labels = labels;
    this.classes = classes;
    this.minRows = minRows;
    total = new double[classes];
    left = new double[classes];
  }

  @Override
  public Structure grow(double[] weights, int[] times) {
    bestError = Double.POSITIVE_INFINITY;
    bestColumn = -1;
    Arrays.fill(total, 0);
    totalRows = 0;
    for (int row = 0; row < labels.length; row++) {
      total[labels[row]] += weights[row];
      totalRows += times[row];
    }
    for (int column = 0; column < binned.columns(); column++) {
      collect(column, weights, times);
      if (binned.categorical(column)) {
        searchCategories(column);
      } else {
        searchThresholds(column);
      }
    }
    return stump();
  }

  private void collect(int column, double[] weights, int[] times) {
    int cells = binned.bins(column) + 1;
    if (counts.length < cells) {
      counts = new int[cells];
      masses = new double[cells * classes];
    }
    Arrays.fill(counts, 0, cells, 0);
    Arrays.fill(masses, 0, cells * classes, 0);
    BinColumn bins = binned.column(column);
    for (int row = 0; row < labels.length; row++) {
      int bin = bins.bin(row);
      masses[bin * classes + labels[row]] += weights[row];
      counts[bin] += times[row];
    }
  }

  private void searchThresholds(int column) {
    int bins = binned.bins(column);
    int missingRows = counts[bins];
    Arrays.fill(left, 0);
    int rows = 0;
    for (int bin = 0; bin < bins; bin++) {
      if (counts[bin] == 0) {
        continue;
      }
      if (rows > 0) {
        if (improves(rows, false, bins)) {
          takeThreshold(column, bin - 1, missingRows == 0 && rows >= totalRows - rows);
        }
        if (missingRows > 0 && improves(rows + missingRows, true, bins)) {
          takeThreshold(column, bin - 1, true);
        }
      }
      for (int k = 0; k < classes; k++) {
        left[k] += masses[bin * classes + k];
      }
      rows += counts[bin];
    }
    if (rows > 0 && missingRows > 0 && improves(rows, false, bins)) {
      takeThreshold(column, bins - 1, false);
    }
  }

  /**
   * Whether {@link #left}, perhaps with the missing values, against the rest is the best so far.
   */
  private boolean improves(int rows, boolean missingLeft, int bins) {
    if (rows < minRows || totalRows - rows < minRows) {
      return false;
    }
    double onLeft = 0;
    double onRight = 0;
    for (int k = 0; k < classes; k++) {
      double right = total[k] - (left[k] + (missingLeft ? masses[bins * classes + k] : 0));
      onLeft = Math.max(onLeft, total[k] - right);
      onRight = Math.max(onRight, right);
    }
    return isBest(all() - onLeft - onRight);
  }

  private double all() {
    double all = 0;
    for (double mass : total) {
      all += mass;
    }
    return all;
  }

  private boolean isBest(double error) {
    if (!(error < bestError - ClassMasses.ROUNDING)) {
      return false;
    }
    bestError = error;
    return true;
  }

  private void takeThreshold(int column, int lastLeftBin, boolean missingLeft) {
    bestColumn = column;
    bestBin = lastLeftBin;
    bestMissingLeft = missingLeft;
    bestLeftBins = new boolean[0];
  }

  private void searchCategories(int column) {
    int cells = binned.bins(column) + 1;
    double all = all();
    for (int a = 0; a < classes; a++) {
      for (int b = a + 1; b < classes; b++) {
        double right = 0;
        int rows = 0;
        for (int cell = 0; cell < cells; cell++) {
          boolean toFirst = prefersFirst(cell, a, b);
          right += masses[cell * classes + (toFirst ? a : b)];
          rows += toFirst ? counts[cell] : 0;
        }
        if (rows >= minRows && totalRows - rows >= minRows && isBest(all - right)) {
          takeCategories(column, a, b, rows);
        }
      }
    }
  }

  private boolean prefersFirst(int cell, int a, int b) {
    return masses[cell * classes + a] >= masses[cell * classes + b];
  }

  /** Left is the side away from the missing values; without any, the side of fewer rows. */
  private void takeCategories(int column, int a, int b, int rowsOfFirst) {
    int bins = binned.bins(column);
    boolean missingWithFirst =
        counts[bins] > 0 ? prefersFirst(bins, a, b) : rowsOfFirst > totalRows - rowsOfFirst;
    bestColumn = column;
    bestMissingLeft = false;
    bestLeftBins = new boolean[bins + 1];
    for (int bin = 0; bin < bins; bin++) {
      bestLeftBins[bin] = counts[bin] > 0 && prefersFirst(bin, a, b) != missingWithFirst;
    }
  }

  private Structure stump() {
    int[] leafOf = new int[labels.length];
    if (bestColumn < 0) {
      return new Structure(1, leafOf, StumpSearch::leaf);
    }
    int feature = bestColumn;
    int bins = binned.bins(feature);
    boolean categorical = binned.categorical(feature);
    boolean missingLeft = bestMissingLeft;
    BinColumn column = binned.column(feature);
    for (int row = 0; row < leafOf.length; row++) {
      int bin = column.bin(row);
      boolean goesLeft =
          categorical ? bestLeftBins[bin] : bin == bins ? missingLeft : bin <= bestBin;
      leafOf[row] = goesLeft ? 0 : 1;
    }
    double threshold = categorical ? 0 : threshold(bins);
    long[] categories = categorical ? categories(bins) : new long[0];
    double all = Arrays.stream(total).sum();
    double gain = all - total[ClassMasses.heaviest(total, 0, classes)] - bestError;
    return new Structure(
        2,
        leafOf,
        (values, outputs, covers) ->
            new Tree(
                    new int[] {feature},
                    new double[] {threshold},
                    new boolean[] {missingLeft},
                    new long[][] {categories},
                    new int[] {-1},
                    new int[] {-2},
                    new Tree.Leaves(values, 0, outputs))
                .withCategoryGroups(new @Nullable CategoryGroups[] {binned.groups(feature)})
                .withStatistics(new float[] {(float) gain}, floats(covers)));
  }

  private static Tree leaf(double[] values, int outputs, double[] covers) {
    int[] none = {};
    var leaf = new Tree.Leaves(values, 0, outputs);
    return new Tree(none, new double[0], new boolean[0], new long[0][], none, none, leaf)
        .withStatistics(new float[0], floats(covers));
  }

  private static float[] floats(double[] covers) {
    float[] floats = new float[covers.length];
    for (int leaf = 0; leaf < covers.length; leaf++) {
      floats[leaf] = (float) Math.min(covers[leaf], Float.MAX_VALUE);
    }
    return floats;
  }

  private double threshold(int bins) {
    return bestBin < bins - 1 ? binned.threshold(bestColumn, bestBin) : Double.POSITIVE_INFINITY;
  }

  private long[] categories(int bins) {
    int highest = 0;
    for (int bin = 0; bin < bins; bin++) {
      highest = bestLeftBins[bin] ? binned.category(bestColumn, bin) : highest;
    }
    long[] set = new long[(highest >> 6) + 1];
    for (int bin = 0; bin < bins; bin++) {
      if (bestLeftBins[bin]) {
        int code = binned.category(bestColumn, bin);
        set[code >> 6] |= 1L << code;
      }
    }
    return set;
  }
}
