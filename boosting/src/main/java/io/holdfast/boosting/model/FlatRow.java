package io.holdfast.boosting.model;

/** A row as nodes of a {@link FlatSegment} ask for it. Owned by one thread. */
final class FlatRow {
  double[] values = {0}; // by column; of a category 0, and where it is missing
  int[] bits = {0}; // by column: which bit of threshold − value says where to go
  int[] missing = {0}; // by column: 1 where the node's default says instead, else 0
  int[] reached = {}; // by tree: the node

  /**
   * Takes a row.
   *
   * @param numeric columns of numbers that nodes look at
   * @param categorical columns of categories that nodes look at
   * @return whether none of these is missing or infinite
   */
  boolean take(double[] features, int[] numeric, int[] categorical) {
    int width = features.length;
    if (values.length <= width) {
      values = new double[width + 1];
      bits = new int[width + 1];
      missing = new int[width + 1];
    }
    values[width] = Double.NEGATIVE_INFINITY; // the column of leaves
    bits[width] = FlatSegment.SIGN;
    for (int column : numeric) {
      double value = features[column];
      if (!(Math.abs(value) <= Double.MAX_VALUE)) {
        return false;
      }
      values[column] = value;
      bits[column] = FlatSegment.SIGN;
    }
    for (int column : categorical) {
      double value = features[column];
      int code = (int) value;
      if (code != value || code < 0) {
        return false;
      }
      values[column] = 0;
      bits[column] = bit(code);
    }
    return true;
  }

  /** Takes a row that {@link #take} did not; whether no value that nodes look at is infinite. */
  boolean takeWithMissing(double[] features, int[] numeric, int[] categorical) {
    for (int column : numeric) {
      double value = features[column];
      if (Double.isInfinite(value)) {
        return false; // its difference from a threshold may be NaN
      }
      boolean there = !Double.isNaN(value);
      values[column] = there ? value : 0;
      bits[column] = FlatSegment.SIGN;
      missing[column] = there ? 0 : 1;
    }
    for (int column : categorical) {
      double value = features[column];
      int code = (int) value;
      boolean there = code == value && code >= 0;
      values[column] = 0;
      bits[column] = there ? bit(code) : 0;
      missing[column] = there ? 0 : 1;
    }
    missing[features.length] = 0;
    return true;
  }

  private static int bit(int code) {
    return code < FlatSegment.CATEGORIES ? code : FlatSegment.HIGHER;
  }
}
