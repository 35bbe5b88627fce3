package io.holdfast.boosting.split;

import io.holdfast.boosting.histogram.Totals;

/**
 * A way to part the rows of a leaf.
 *
 * @param gain decrease of the second-order loss, less the price of a leaf
 * @param threshold of a numeric column: values at most this go left
 * @param lastLeftBin of a numeric column: the bin that ends at the threshold
 * @param categories of a categorical column: the bit set of codes, or groups of them, that go left;
 *     else empty
 * @param left sums of what goes left
 * @param direction +1 if the left child's step may not exceed the right one's, −1 the other way
 *     round, else 0
 * @param middle where direction is not 0: between the steps of both children
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
public record Split(
    int column,
    double gain,
    double threshold,
    int lastLeftBin,
    long[] categories,
    boolean missingLeft,
    Totals left,
    int direction,
    double middle) {

  /** No split is worth its price. */
  public static final Split NONE =
      new Split(
          -1, Double.NEGATIVE_INFINITY, 0, -1, new long[0], false, Totals.ZERO, 0, Double.NaN);

  public boolean exists() {
    return column >= 0;
  }

  public boolean categorical() {
    return categories.length > 0;
  }

  /** Whether this one is to be made rather than the other: of equal gains the lower column's. */
  public boolean beats(Split other) {
    return gain > other.gain || (gain == other.gain && exists() && column < other.column);
  }

  public static boolean holds(long[] categories, int code) {
    int word = code >> 6;
    return word < categories.length && (categories[word] >>> code & 1) != 0;
  }
}
