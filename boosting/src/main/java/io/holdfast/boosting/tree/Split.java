package io.holdfast.boosting.tree;

/**
 * A way to part the rows of a leaf.
 *
 * @param gain what it lowers the second-order loss by
 * @param threshold of a numeric column: values at most this go left
 * @param lastLeftBin of a numeric column: the bin that ends at the threshold
 * @param categories of a categorical column: the bit set of codes that go left; else empty
 * @param missingLeft where missing values go
 * @param left what goes left
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and only this package sees it
record Split(
    int column,
    double gain,
    double threshold,
    int lastLeftBin,
    long[] categories,
    boolean missingLeft,
    Totals left) {

  /** No split is worth its price. */
  static final Split NONE =
      new Split(-1, Double.NEGATIVE_INFINITY, 0, -1, new long[0], false, Totals.ZERO);

  boolean exists() {
    return column >= 0;
  }

  boolean categorical() {
    return categories.length > 0;
  }

  static boolean holds(long[] categories, int code) {
    int word = code >> 6;
    return word < categories.length && (categories[word] >>> code & 1) != 0;
  }
}
