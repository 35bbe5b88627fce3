package io.holdfast.boosting.model.kernel;

import java.util.Arrays;

/**
 * A row of features as the small whole numbers that a model's trees look at: every test of every
 * node is {@code rank > bound ? right : left} of one column. Immutable; safe to share.
 */
final class Columns {
  /*
   * The rank of a number is how many of its feature's thresholds (of the whole model, each once)
   * are below it, so "at most threshold k" is "rank at most k", exactly, for every double. A
   * missing number ranks 0 where nodes send it left and highest where they send it right: a feature
   * whose nodes disagree has two columns. A category set is a column of its own, of rank 0 (in the
   * set) or 1. Nothing else in this package needs to know of thresholds, missing values or
   * categories.
   */
  private static final int NONE = -1;

  private final int count;
  private final int[] searched; // the feature of each search, ascending
  private final NumberRanks numbers; // of the searched features, in order
  private final int[] leftColumn; // of the search: where missing values go left, or NONE
  private final int[] rightColumn; // where they go right, or NONE
  private final int[] highestRank; // of each column
  private final CategorySets sets;

  Columns(ColumnsBuilder builder) {
    count = builder.columns();
    searched = builder.searched();
    int size = searched.length;
    leftColumn = new int[size];
    rightColumn = new int[size];
    double[][] thresholds = new double[size][];
    for (int k = 0; k < size; k++) {
      thresholds[k] = builder.thresholds(searched[k]);
      leftColumn[k] = builder.numericColumn(searched[k], true).orElse(NONE);
      rightColumn[k] = builder.numericColumn(searched[k], false).orElse(NONE);
    }
    numbers = new NumberRanks(thresholds);
    sets = builder.sets();
    highestRank = new int[count];
    Arrays.fill(highestRank, 1); // of the sets
    for (int k = 0; k < size; k++) {
      for (int column : new int[] {leftColumn[k], rightColumn[k]}) {
        if (column >= 0) {
          highestRank[column] = numbers.highest(k);
        }
      }
    }
  }

  /** How many columns there are. */
  int count() {
    return count;
  }

  /** Writes the rank of each column of one row to {@code ranks[0, count)}. */
  void rank(double[] features, int[] ranks) {
    for (int k = 0; k < searched.length; k++) {
      double value = features[searched[k]];
      int left;
      int right;
      if (Math.abs(value) <= Double.MAX_VALUE) {
        left = numbers.rank(k, value);
        right = left;
      } else {
        boolean missing = Double.isNaN(value);
        left = missing ? 0 : numbers.rankOfInfinite(k, value);
        right = missing ? numbers.highest(k) : left;
      }
      if (leftColumn[k] >= 0) {
        ranks[leftColumn[k]] = left;
      }
      if (rightColumn[k] >= 0) {
        ranks[rightColumn[k]] = right;
      }
    }
    sets.rank(features, ranks);
  }

  /** How many features are looked at by threshold. */
  int searches() {
    return searched.length;
  }

  int searchedFeature(int search) {
    return searched[search];
  }

  /** The column of a search where missing values go left; negative if there is none. */
  int leftColumn(int search) {
    return leftColumn[search];
  }

  /** The column of a search where missing values go right; negative if there is none. */
  int rightColumn(int search) {
    return rightColumn[search];
  }

  /** The highest rank that a column's rows may have. */
  int highestRank(int column) {
    return highestRank[column];
  }

  CategorySets sets() {
    return sets;
  }

  /** Writes the ranks of a searched feature's values; −1 where one is missing. */
  void rank(int search, double[] values, int rows, int[] ranks) {
    if (allFinite(values, rows)) {
      numbers.rank(search, values, rows, ranks);
      return;
    }
    for (int row = 0; row < rows; row++) {
      double value = values[row];
      if (Math.abs(value) <= Double.MAX_VALUE) {
        ranks[row] = numbers.rank(search, value);
      } else {
        ranks[row] = Double.isNaN(value) ? -1 : numbers.rankOfInfinite(search, value);
      }
    }
  }

  private static boolean allFinite(double[] values, int rows) {
    long largest = 0;
    for (int row = 0; row < rows; row++) {
      long size = Double.doubleToRawLongBits(values[row]) & Long.MAX_VALUE;
      largest = Math.max(largest, size);
    }
    return largest < Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
  }

  /** What the arrays take, in bytes. */
  long bytes() {
    return numbers.bytes() + 12L * searched.length + 4L * count + sets.bytes();
  }
}
