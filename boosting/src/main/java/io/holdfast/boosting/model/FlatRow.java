package io.holdfast.boosting.model;

/** A row as nodes of a {@link FlatSegment} ask for it. Owned by one thread. */
final class FlatRow {
  double[] values = {0}; // by column; of a category 0
  int[] bits = {0}; // by column: which bit of threshold − value says where to go
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
    }
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
      bits[column] = code < FlatSegment.CATEGORIES ? code : FlatSegment.HIGHER;
    }
    values[width] = Double.NEGATIVE_INFINITY; // the column of leaves
    bits[width] = FlatSegment.SIGN;
    return true;
  }
}
