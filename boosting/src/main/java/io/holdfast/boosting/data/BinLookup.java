package io.holdfast.boosting.data;

import java.util.Arrays;

/** Finds the bins of many values of one numeric column. Scratch is reused: not thread-safe. */
final class BinLookup {
  /*
   * The range between the lowest and the highest threshold is cut into cells of the same width, each
   * with the number of thresholds in lower cells: a value's bin is that and at most the thresholds of
   * its own cell, mostly one or none. For each value as many thresholds are compared as any cell
   * holds, by halves; those of higher cells are above it, so that does no harm. Up to three are
   * compared by the sign of a difference: branches could not be predicted.
   *
   * Rounding may put a value into a neighbouring cell, but never orders two the wrong way round, and
   * thresholds are put into cells by the same formula: that is all that is needed.
   */
  private static final int CELLS = 1024;
  private static final double FAR = 1e150; // thresholds beyond are left out of the range

  private final char[] below = new char[CELLS]; // thresholds in lower cells
  private double[] padded = {}; // thresholds, and some beyond them
  private int thresholds;
  private int most; // thresholds in a cell
  private double low;
  private double scale;

  /** Turns to a column of at most 65,535 thresholds. */
  void prepare(double[] ascending) {
    thresholds = ascending.length;
    if (padded.length < 3 * thresholds + 1) { // +∞ is looked for among the padding, too
      padded = new double[3 * thresholds + 1];
    }
    Arrays.fill(padded, thresholds, padded.length, Double.MAX_VALUE);
    setRange(ascending);
    most = 0;
    int cells = 0; // whose entry is there
    int inCell = 0;
    for (int k = 0; k < thresholds; k++) {
      padded[k] = ascending[k] + 0.0; // makes −0 into 0, so that 0 less it is 0
      int cell = cell(ascending[k], low, scale);
      if (cell >= cells) {
        Arrays.fill(below, cells, cell + 1, (char) k);
        cells = cell + 1;
        inCell = 0;
      }
      most = Math.max(most, ++inCell);
    }
    Arrays.fill(below, cells, CELLS, (char) thresholds);
  }

  private void setRange(double[] ascending) {
    int first = 0;
    int last = ascending.length - 1;
    while (first < last && ascending[first] < -FAR) {
      first++;
    }
    while (last > first && ascending[last] > FAR) {
      last--;
    }
    low = first < last ? ascending[first] : 0;
    scale = first < last ? (CELLS - 2) / (ascending[last] - low) : 0;
    if (!(scale > 0 && scale < FAR && Math.abs(low) <= FAR)) {
      low = 0;
      scale = 1;
    }
  }

  /** Writes the bins of the first {@code size} values; {@code missing} where they are NaN. */
  void find(double[] values, int size, byte[] target, int missing) {
    if (most > 3 || padded[0] == Double.NEGATIVE_INFINITY) {
      for (int row = 0; row < size; row++) {
        double value = values[row];
        target[row] = (byte) (Double.isNaN(value) ? missing : bin(value));
      }
    } else if (most > 1) {
      findByTwo(values, size, target, missing);
    } else {
      findByOne(values, size, target, missing);
    }
  }

  private void findByOne(double[] values, int size, byte[] target, int missing) {
    double lowest = low;
    double factor = scale;
    int last = thresholds;
    for (int row = 0; row < size; row++) {
      double value = values[row];
      int bin = below[cell(value, lowest, factor)];
      bin += isBelow(padded[bin], value);
      target[row] = (byte) (Double.isNaN(value) ? missing : Math.min(bin, last));
    }
  }

  private void findByTwo(double[] values, int size, byte[] target, int missing) {
    double lowest = low;
    double factor = scale;
    int last = thresholds;
    for (int row = 0; row < size; row++) {
      double value = values[row];
      int bin = below[cell(value, lowest, factor)];
      bin += 2 * isBelow(padded[bin + 1], value);
      bin += isBelow(padded[bin], value);
      target[row] = (byte) (Double.isNaN(value) ? missing : Math.min(bin, last));
    }
  }

  /** Writes the bins of the first {@code size} values; {@code missing} where they are NaN. */
  void find(double[] values, int size, char[] target, int missing) {
    for (int row = 0; row < size; row++) {
      double value = values[row];
      target[row] = (char) (Double.isNaN(value) ? missing : bin(value));
    }
  }

  /** 1 if the threshold is below the value, else 0; only +∞ is above the padding. */
  private static int isBelow(double threshold, double value) {
    return (int) (Double.doubleToRawLongBits(threshold - value) >>> 63);
  }

  /** How many thresholds are below the value. */
  private int bin(double value) {
    int bin = below[cell(value, low, scale)];
    for (int half = Integer.highestOneBit(most); half > 0; half >>= 1) {
      bin += padded[bin + half - 1] < value ? half : 0;
    }
    return Math.min(bin, thresholds);
  }

  private static int cell(double value, double low, double scale) {
    return Math.min(Math.max((int) ((value - low) * scale + 1), 0), CELLS - 1);
  }
}
