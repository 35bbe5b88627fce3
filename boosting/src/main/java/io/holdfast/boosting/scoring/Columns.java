package io.holdfast.boosting.scoring;

import java.util.Arrays;

/**
 * A row of features as the whole numbers that trees test: every test of a node is {@code rank >
 * bound ? right : left} of one column. Immutable; safe to share.
 */
final class Columns {
  /*
   * The rank of a number is how many of its feature's thresholds in the model are below it, so "at most
   * threshold k" is "rank at most k", for every double. A missing number ranks 0 where nodes send it
   * left and highest where they send it right: a feature whose nodes disagree has two columns. A
   * category set is a column of its own, of rank 0 (in the set) or 1. Nothing else in this package
   * knows of thresholds, missing values or categories.
   */
  private static final int NONE = -1;
  private static final long ONE_IN_EXPONENT = 1L << 52;

  final int count;
  final int[] searched; // the feature of each search by thresholds, ascending
  private final ThresholdRanks numbers; // of the searched features, in order
  final int[] leftColumn; // of each search: where missing values go left, or NONE
  final int[] rightColumn; // where they go right, or NONE
  private final int[] leftTarget; // the same columns, and one that nobody reads for NONE
  private final int[] rightTarget;
  private final boolean oneEach; // search k has column k alone
  private final boolean halves; // search k has column k, or searches + k, or both
  private final boolean allInOrder; // search k is of feature k
  private final boolean allInBytes; // no other columns, and short searches
  final int pairs; // distance of the two columns of a search; 0 if columns simply follow
  final int[] highestRank; // of each column
  final CategorySets[] sets;

  Columns(ColumnsBuilder builder) {
    count = builder.columns;
    searched = builder.searched;
    int size = searched.length;
    leftColumn = Arrays.stream(searched).map(k -> builder.numericColumn[k][1]).toArray();
    rightColumn = Arrays.stream(searched).map(k -> builder.numericColumn[k][0]).toArray();
    leftTarget = Arrays.stream(leftColumn).map(k -> k == NONE ? count : k).toArray();
    rightTarget = Arrays.stream(rightColumn).map(k -> k == NONE ? count : k).toArray();
    boolean one = true;
    boolean half = 2 * size <= count;
    boolean inOrder = true;
    for (int k = 0; k < size; k++) {
      int left = leftColumn[k];
      int right = rightColumn[k];
      one &= Math.max(left, right) == k && Math.min(left, right) == NONE;
      half &= (left == NONE || left == k) && (right == NONE || right == size + k);
      inOrder &= searched[k] == k;
    }
    oneEach = one;
    halves = half;
    pairs = half ? size : 0;
    allInOrder = inOrder;
    numbers = builder.numbers;
    allInBytes =
        count == (oneEach ? size : 2 * size) && (oneEach || halves) && numbers.shortSearches;
    sets = CategorySets.of(count - builder.sets.size(), builder.sets);
    int[] highest = new int[count + 1];
    Arrays.fill(highest, 1); // of the sets
    for (int k = 0; k < size; k++) {
      highest[leftTarget[k]] = numbers.highest[k];
      highest[rightTarget[k]] = numbers.highest[k];
    }
    highestRank = Arrays.copyOf(highest, count);
  }

  /** Writes the rank of each column of one row to {@code scratch.ranks}, by column. */
  void rank(double[] features, RowScratch scratch) {
    double[] values = allInOrder ? features : searchedValues(features, scratch.values);
    int[] ranks = scratch.ranks;
    if (!allFinite(values, searched.length)) {
      rankAny(values, ranks);
    } else if (oneEach) {
      numbers.rankRow(values, ranks);
    } else if (halves) {
      numbers.rankRow(values, ranks);
      System.arraycopy(ranks, 0, ranks, searched.length, searched.length);
    } else {
      int[] found = scratch.found;
      numbers.rankRow(values, found);
      for (int k = 0; k < searched.length; k++) {
        ranks[leftTarget[k]] = found[k];
        ranks[rightTarget[k]] = found[k];
      }
    }
    for (CategorySets set : sets) {
      set.rank(features, ranks);
    }
  }

  /**
   * Writes the ranks of a row to {@code scratch.bytes}, {@code offset} more: of each search its
   * first column. False if nothing was written, since there are other columns or a value is not
   * finite.
   */
  boolean rankInBytes(double[] features, int offset, RowScratch scratch) {
    if (!allInBytes) {
      return false;
    }
    double[] values = allInOrder ? features : searchedValues(features, scratch.values);
    if (!allFinite(values, searched.length)) {
      return false;
    }
    numbers.rankRowInBytes(values, offset, scratch.found, scratch.bytes);
    return true;
  }

  private double[] searchedValues(double[] features, double[] values) {
    for (int k = 0; k < searched.length; k++) {
      values[k] = features[searched[k]];
    }
    return values;
  }

  private void rankAny(double[] values, int[] ranks) {
    for (int k = 0; k < searched.length; k++) {
      int rank = numbers.rankOrMissing(k, values[k]);
      ranks[leftTarget[k]] = Math.max(rank, 0);
      ranks[rightTarget[k]] = rank < 0 ? numbers.highest[k] : rank;
    }
  }

  /** Writes the ranks of a searched feature's values, -1 where one is missing; whether one is. */
  boolean rank(int search, double[] values, int rows, int[] ranks) {
    if (allFinite(values, rows)) {
      numbers.rank(search, values, rows, ranks);
      return false;
    }
    boolean missing = false;
    for (int row = 0; row < rows; row++) {
      ranks[row] = numbers.rankOrMissing(search, values[row]);
      missing |= ranks[row] < 0;
    }
    return missing;
  }

  private static boolean allFinite(double[] values, int size) {
    long exponents = 0;
    for (int k = 0; k < size; k++) {
      exponents |= (Double.doubleToRawLongBits(values[k]) & Long.MAX_VALUE) + ONE_IN_EXPONENT;
    }
    return exponents >= 0; // the highest exponent, of NaN and infinity, is carried into the sign
  }

  long bytes() {
    return numbers.bytes()
        + 20L * searched.length
        + 4L * count
        + Arrays.stream(sets).mapToLong(CategorySets::bytes).sum();
  }
}
